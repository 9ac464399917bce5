/** `headway` without a command, at a terminal: the board of everything. */

import { asksForOne } from "../choose/asked-for.ts"
import { defineCommand } from "../command.ts"
import { allOption, showBoard } from "./board-screen.ts"
import { notifyOption } from "./notify.ts"
import { openLiveBoard } from "./open-board.ts"

export const board = defineCommand({
  usage: "[--all] [--own] [--notify bell|COMMAND]",
  about: "Shows all plans known here as they change, Headway's own and those of every agent.",
  options: {
    all: allOption,
    own: { type: "boolean", about: "only plans kept by Headway itself" },
    notify: notifyOption,
  },
  examples: ["headway", "headway --notify bell"],
  run: (context) =>
    showBoard(context, (onProgress) =>
      openLiveBoard(context, {
        shows: context.values.own ? "own" : "everything",
        isAll: context.values.all === true || asksForOne(context),
        onProgress,
      }),
    ),
})
