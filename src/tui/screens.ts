/** The screens of the command line behind one door, so that React is loaded once and only when a screen is opened. */
type BoardScreen = {
  source: import("../views/board-session.ts").BoardSource
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  look: { colour: boolean; ascii: boolean }
  now: () => Date
  editText: (text: string) => string
}

/** A stand-in until the screen is here: one line for each session, again with each change; q ends, space and a edit the first. */
export const openBoard = ({ source, stdin, stdout }: BoardScreen): Promise<NodeJS.Signals | undefined> =>
  new Promise((resolve) => {
    const draw = (note = ""): void => {
      const rows = source.sessions
        .slice(0, 10)
        .map(
          ({ agentType, session, agent, state, progress, todos, current = "" }) =>
            `${agentType} ${session.slice(0, 8)} ${agent} ${state} ${progress.completed}/${progress.total} of ${todos} ${current}`,
        )
      const todos =
        source.sessions[0]?.plan?.todos.map(({ id, content, status }) => `  ${id} ${status} ${content}`) ?? []
      stdout.write(`\u001b[2J\u001b[H${[...rows, ...todos, source.notice ?? "", note].join("\r\n")}`)
    }
    const stop = source.subscribe(() => draw())
    draw()
    stdin.setRawMode?.(true)
    stdin.on("data", (data) => {
      const [first] = source.sessions
      const todo = first?.plan?.todos[0]
      const key = String(data)
      if (key === " " && first && todo) source.edit(first.key, { kind: "toggle", todo: todo.id }).then(draw)
      if (key === "a" && first) source.edit(first.key, { kind: "add", content: "Added on the board" }).then(draw)
      if (key === "u" && first) source.edit(first.key, { kind: "undo" }).then(draw)
      if (key !== "q" && key !== "\u0003") return
      stop()
      stdin.setRawMode?.(false)
      stdin.pause()
      resolve(undefined)
    })
  })
