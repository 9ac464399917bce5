/** The common teaching of all list prompts, worded in each tool's vocabulary. */
import type { PromptLevel } from "../dialect.ts"

export type Prompts = Record<PromptLevel, string>

/** A tool's words for the ideas all of them share. Phrases are commands about one entry, called "it". */
export type Words = {
  /** What the tool calls one entry: todo, task, step. */
  item: string
  /** Work on it begins. */
  start: string
  /** Work on it has ended well. */
  finish: string
  /** It is no longer wanted. */
  discard: string
  /** How many may be worked on at a time: a whole sentence, because here the tools differ. */
  oneAtATime: string
  /** What to do when stuck: a whole sentence. */
  stuck: string
}

/** The sections in a tool's words, to be picked and put in order. */
export const teachingFor = (words: Words) => {
  const uses = usesOf(words)
  const parts = {
    whenToUse: whenToUse(words),
    whenToSkip: whenToSkip(),
    goodItems: goodItems(words),
    keepItTrue: keepItTrue(words),
    whatDoneMeans: whatDoneMeans(words),
    twoExamples: (use: keyof typeof uses, skip: keyof typeof skips): string =>
      showExamples("## Two examples", [uses[use], skips[skip]]),
    whyAtAll: whyAtAll(),
  }
  /** All of them in the usual order, with a request that deserves a list and one that does not. */
  const all = (...[use, skip]: Parameters<typeof parts.twoExamples>): string[] =>
    Object.values({ ...parts, twoExamples: parts.twoExamples(use, skip) })
  return { ...parts, all, uses, skips }
}

export const lines = (...parts: readonly string[]): string => parts.join("\n")

/** One paragraph, however many lines of source it takes. */
export const prose = (...parts: readonly string[]): string => parts.join(" ")

export const sections = (...parts: readonly string[]): string => parts.join("\n\n")

const whenToUse = ({ item, start, finish }: Words): string =>
  lines(
    "## Use it when",
    "Do not wait to be asked: reach for it yourself, early and often, as soon as one of these holds.",
    "1. The work has three or more distinct steps.",
    "2. The work needs planning, or several operations that build on one another.",
    "3. The user asks for a list or a plan.",
    "4. The user hands over several things to do in one message.",
    `5. New instructions arrive: capture them at once, each as a ${item}, before other work pushes them aside.`,
    `6. You are about to take the first action on a ${item}: ${start}.`,
    `7. You have just finished a ${item}: ${finish}, and add the follow-up work that came to light.`,
  )

const whenToSkip = (): string =>
  lines(
    "## Leave it out when",
    "1. One straightforward change or command is all that is wanted.",
    "2. The work is trivial: writing it down would take longer than doing it.",
    "3. You would be through in fewer than three trivial steps.",
    "4. It is pure conversation, or the user only wants information.",
    "In these cases just do it, or just answer.",
  )

const goodItems = ({ item }: Words): string =>
  lines(
    `## Writing good ${item}s`,
    `- Look before you plan: search and read first, then write one ${item} for each place you found.`,
    `- Make each ${item} specific and small, and name it so that another reader could tell when it is done.`,
    '- "Work on the parser" is too vague; "Accept trailing commas in the parser" can be done and checked.',
  )

const keepItTrue = ({ item, start, finish, discard, oneAtATime }: Words): string =>
  lines(
    "## Keeping it true",
    `- Before you begin a ${item}, ${start}. The moment it is done, ${finish}.`,
    "- Write changes down as you go, alongside your other calls. Never save them up to tick off in a batch.",
    `- ${oneAtATime}`,
    "- Bring the current one to an end before you take up the next; there is no exception for work that seems small.",
    `- When a ${item} no longer matters, ${discard}.`,
    `- A ${item} you delegated is done when the sub-agent has returned with a result that holds.`,
  )

const whatDoneMeans = ({ item, finish, stuck }: Words): string =>
  lines(
    "## What done means",
    `Only when a ${item} is fully done, ${finish}. It is not done while`,
    "- tests fail,",
    "- a part of it is missing or only sketched,",
    "- an error is unresolved,",
    "- a file or a dependency it needs could not be found.",
    `"Run the tests" means make them pass: having started them is not enough. Every error you find becomes a ${item}.`,
    stuck,
  )

const whyAtAll = (): string =>
  prose(
    "The list is your own memory through long work, and it is what the user sees of your progress. Keeping it without",
    "being told shows care, and nothing that was asked for gets lost. When in doubt, use it.",
  )

type Example = { user: string; you: string; why: string }

export const showExamples = (heading: string, examples: readonly Example[]): string =>
  lines(heading, ...examples.map(({ user, you, why }) => lines("", `User: ${user}`, `You: ${you}`, `Why: ${why}`)))

/** Requests that deserve a list. */
const usesOf = ({ item }: Pick<Words, "item">) =>
  ({
    layers: {
      user: "Let travellers save a trip to their calendar. The test suite has to be green at the end.",
      you: prose(
        `read how trips are stored and shown, then write five ${item}s: render a trip as an .ics file; serve it at an`,
        "address of its own; put a button on the trip page; cover trips that cross time zones; run the suite until it",
        "is green.",
      ),
      why: prose(
        "format, server and page are all touched, so there are more than three steps. The condition for the end",
        `becomes a ${item} of its own, and it is done when the suite passes.`,
      ),
    },
    search: {
      user: "No log line may contain an e-mail address any more.",
      you: `search first, find six such log calls in four modules, and write one ${item} for each of the six.`,
      why: `before the search it was not known how large the job was; a ${item} for each place means none is forgotten.`,
    },
    several: {
      user: "Before Friday: a newer Postgres image, French texts for the new errors, an upgrade note, no old menu.",
      you: `write down four ${item}s in that order before touching anything, and split one later if it is large.`,
      why: "these are four separate wishes in one message; unwritten, the fourth is the one that gets lost.",
    },
    diagnosis: {
      user: "The nightly import dies after an hour. Find out why and repair it.",
      you: prose(
        "reproduce it, see that rows pile up in memory and that a connection is never closed, then plan: stream the",
        "rows; close the connection; import a large file in a test; watch memory through a full run. The first run",
        `stumbles over a malformed date, and that becomes a ${item} too.`,
      ),
      why: "the plan follows from what was found, and an error met on the way is new work, not a footnote.",
    },
    newWish: {
      user: `(while you are at the second of four ${item}s) Oh, and amounts need two decimals everywhere.`,
      you: `add that to the list at once, then go on with the second ${item}.`,
      why: "a new instruction is safe once it is written down, and what is under way gets finished first.",
    },
  }) as const satisfies Record<string, Example>

/** Requests that do not. */
const skips = {
  question: {
    user: "Which port does the preview server use?",
    you: "look into the configuration and answer.",
    why: "the user wants to know something; there is nothing to carry out.",
  },
  correction: {
    user: 'The price page is headed "Prizes".',
    you: "correct the word.",
    why: "it is one straightforward change in one place.",
  },
  command: {
    user: "Show me the last five commits.",
    you: "run the command and report.",
    why: "a single command answers it; there are no steps to follow.",
  },
  pair: {
    user: 'Call the button "Send" and adapt its tooltip.',
    you: "make both edits.",
    why: "these are two trivial steps, fewer than three; a list would take longer than the edits.",
  },
} as const satisfies Record<string, Example>
