/** `headway store`: shows where plans are kept and what is undelivered, and copies plans between stores. */
import { HeadwayError } from "../../plan/headway-error.ts"
import { type Context, defineCommand } from "../command.ts"
import { storeMigrate, storeRoles, storeUse } from "../store/store-change.ts"
import { storeCheck } from "../store/store-check.ts"
import { storeCopy } from "../store/store-copy.ts"
import { fromOption, leaveOption, storeDeliver } from "../store/store-delivery.ts"
import { discardOption, storeRejected } from "../store/store-rejected.ts"
import { storeStatus } from "../store/store-status.ts"

const options = { "leave-waiting": leaveOption, from: fromOption, discard: discardOption }

type StoreContext = Context<typeof options>

/** How many words each takes after its name. */
const actions: Record<string, { words: number; run: (context: StoreContext) => Promise<number> }> = {
  status: { words: 0, run: storeStatus },
  use: { words: 1, run: storeUse },
  deliver: { words: 0, run: storeDeliver },
  migrate: { words: 0, run: storeMigrate },
  roles: { words: 0, run: storeRoles },
  copy: { words: 2, run: storeCopy },
  check: { words: 0, run: storeCheck },
  rejected: { words: 0, run: storeRejected },
}

const actionNames = Object.keys(actions)

export const store = defineCommand({
  usage: "store [ACTION] [STORE…]",
  about: `Shows where plans are kept and what is not delivered yet, and copies plans from one store to another.

With a database, changes are kept in your home first and delivered when it can be reached: no command waits for it. The password
belongs in ~/.pgpass or PGPASSWORD; it is never printed or saved.

  status      where plans are kept, how many, whether it is reachable, its schema, what is not delivered (the default)
  use STORE   keep plans there from now on: postgres://USER@HOST/DATABASE, or file: for your home. Changes that wait for the old store are delivered first
  deliver     deliver now what waits here for a database
  migrate     create the tables in a database, or upgrade them to this version's schema
  roles       print a psql script with two roles: one that writes plans, and one that only reads
  copy A B    copy all plans of one store into another, and compare them; it can be stopped and run again
  check       read every plan and report problems
  rejected    show the changes that a database rejected or has lost, and that only your home has`,
  options,
  firstWords: actionNames,
  maxWords: 3,
  examples: [
    "headway store",
    "headway store use postgres://anna@db.example/plans",
    "headway store migrate --store postgres://owner@db.example/plans",
    'headway store roles --store "$URL" | psql "$URL"',
    "headway store copy file: postgres://anna@db.example/plans",
    "headway store deliver --from postgres://anna@old.example/plans",
    "headway store check --json",
    "headway store rejected --discard",
  ],
  async run(context) {
    const [word = "status", ...others] = context.words
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined
    if (!action) throw new HeadwayError("usage", `"headway store" takes ${actionNames.join(", ")}, not "${word}".`)
    if (others.length > action.words)
      throw new HeadwayError("usage", `"headway store ${word}" does not take "${others[action.words]}".`)
    return action.run(context)
  },
})
