/** A working day of several agents, as the page is shown with it. */
import { basename } from "node:path"
import type { Stage, StagedTodos } from "./staged-home.ts"

const minute = 60
const hour = 60 * minute

const steps = (words: readonly string[], done: number): StagedTodos =>
  words.map((word, index) => (index < done ? `✓ ${word}` : index === done ? `▶ ${word}` : word))

/** Returns the files of the sessions by a short name, and how to end the programs that run. */
export const stageDay = (stage: Stage) => {
  const move = [
    "Find every call to the old payment client",
    "Write an adapter for the new payment API",
    "Move the checkout over to the adapter",
    "Check how webhooks are retried",
    "Document the new payment flow",
    "Keep the old webhook address for one release",
    "Remove the old client",
  ]
  const payments = stage.claude({
    id: "5a1c7e3e-0d64-4a8f-9b1e-6f2d1c9a7b40",
    project: "checkout",
    branch: "payments-v2",
    prompt: "Move the checkout to the new payment API",
    lists: [
      [41 * minute, steps(move, 0)],
      [33 * minute, steps(move, 1)],
      [14 * minute, steps(move, 2)],
      [5 * minute, steps(move, 3)],
    ],
    work: [
      [30 * minute, { edit: "src/payments/adapter.ts" }],
      [16 * minute, { run: "npm test 2>&1 | tail -5", prints: "Tests  41 passed (41)" }],
      [9 * minute, { edit: "src/checkout/pay.ts" }],
      [6 * minute, { run: "npm test 2>&1 | tail -5", prints: "Tests  2 failed | 41 passed (43)" }],
    ],
    end: { plans: "# Run the migration on staging\n\nnpm run migrate -- --env staging" },
    endedAgo: 2 * minute,
  })
  stage.helper(payments, {
    id: "a3b22d34f61719c9b",
    role: "Explore",
    about: "Find every webhook handler",
    lists: [
      [3 * minute, steps(["Find the webhook handlers", "Read their retry rules", "Report what must change"], 0)],
      [28, steps(["Find the webhook handlers", "Read their retry rules", "Report what must change"], 2)],
    ],
  })
  const guide = stage.claude({
    id: "6b2d8f4f-1e75-4b90-8c2f-70e3d2ab8c51",
    project: "docs-site",
    prompt: "Translate the install guide",
    lists: [
      [
        14 * minute,
        steps(
          [
            "Collect the strings",
            "Translate the text",
            "Translate the screenshots",
            "Check the links",
            "Review with a native speaker",
          ],
          4,
        ),
      ],
    ],
    end: { asks: "Should the Austrian price table stay in German only?" },
  })
  const engine = stage.codex({
    id: "01a1e08b-8b66-7c81-9dcf-24706e85f08d",
    project: "price-engine",
    branch: "fix/rounding",
    prompt: "Make the price engine deterministic",
    lists: [
      [
        9 * minute,
        steps(
          [
            "Reproduce the nightly failure",
            "Find the commit that broke it",
            "Fix the race in the price cache",
            "Add a test that fails without the fix",
            "Run the whole suite twice",
          ],
          1,
        ),
      ],
      [
        0,
        steps(
          [
            "Reproduce the nightly failure",
            "Find the commit that broke it",
            "Fix the race in the price cache",
            "Add a test that fails without the fix",
            "Run the whole suite twice",
          ],
          4,
        ),
      ],
    ],
  })
  const ci = stage.claude({
    id: "7c3e9a50-2f86-4ca1-9d30-81f4e3bc9d62",
    project: "infra",
    branch: "chore/node-20",
    prompt: "Drop Node 18 from CI and docs",
    lists: [
      [
        4 * minute,
        steps(
          [
            "List every workflow",
            "Drop 18 from the matrix",
            "Update the release workflow",
            "Update the images",
            "Update the docs",
            "Tell the teams",
          ],
          2,
        ),
      ],
    ],
    endedAgo: 5,
  })
  const driver = stage.claude({
    id: "8d4fab61-3097-4db2-8e41-92a5f4cdae73",
    project: "api",
    branch: "deps/driver-9",
    prompt: "Upgrade the database driver",
    lists: [
      [
        70 * minute,
        steps(
          [
            "Read the changelog",
            "Upgrade the package",
            "Fix the types",
            "Run the migrations",
            "Run the tests",
            "Measure",
          ],
          3,
        ),
      ],
    ],
    end: { fails: "API Error: 529 Overloaded. Three retries failed." },
    endedAgo: 62 * minute,
  })
  const search = stage.claude({
    id: "9e50bc72-41a8-4ec3-9f52-a3b605debf84",
    project: "api",
    branch: "perf/search",
    prompt: "Profile the slow search",
    lists: [
      [
        38 * minute,
        steps(["Record a profile", "Read the flame graph", "Find the hot loop", "Fix it", "Measure again"], 1),
      ],
    ],
    endedAgo: 37 * minute,
  })
  const mails = stage.codex({
    id: "01a1e08b-9c77-7d92-8ed0-35817f96f19e",
    project: "mailer",
    prompt: "Add retry with jitter to the mail queue",
    lists: [[3 * hour, ["✓ Read the queue", "✓ Write the back-off", "✓ Add jitter", "✓ Test it", "✓ Describe it"]]],
    end: "stops",
  })
  for (const [index, prompt] of [
    "Rename the billing events",
    "Fix the flaky login test",
    "Write the release notes",
  ].entries()) {
    stage.claude({
      id: `af61cd83-52b9-4fd4-8a63-b4c716efc09${index}`,
      project: ["billing", "web", "docs-site"][index] ?? "web",
      prompt,
      // Never today, whatever the time of day is, and never so old that the page folds them away.
      lists: [[(25 + 23 * index) * hour, ["✓ Look", "✓ Change", "✓ Check"]]],
      end: "stops",
    })
  }
  const ends = [
    ...[payments, guide, ci, search].map((file, index) => {
      const project = ["checkout", "docs-site", "infra", "api"][index] ?? ""
      return stage.runs("claude", project, basename(file, ".jsonl"))
    }),
    stage.runs("codex", "price-engine"),
  ]
  const end = (): void => {
    for (const one of ends) one()
  }
  return { end, payments, guide, engine, ci, driver, search, mails }
}
