/**
 * Headway's plugin for opencode: tells `headway hook` what happens in a session, and adds what it has to say to the
 * next request. It runs inside opencode's process, and never holds opencode up for long.
 */
import { spawn } from "node:child_process"

// What is called. "headway setup opencode" writes full paths here, and puts the server into opencode's own configuration.
const calls = { hook: "headway hook opencode", server: ["headway", "mcp"] }

/** How long opencode waits for one call, in milliseconds. */
const timeLimit = 10_000

/** How shells say that there is no such program. */
const notFound = [127, 9009]

/** Two copies of this file may be loaded; one of them works, for each folder. */
const loaded = Symbol.for("headway.opencode.plugin")

export const HeadwayPlugin = async ({ client, directory }) => {
  globalThis[loaded] ??= new Map()
  const copies = globalThis[loaded]
  if ((copies.get(directory) ?? import.meta.url) !== import.meta.url) return {}
  copies.set(directory, import.meta.url)

  /** The parents of sessions, and those that began in this process. */
  const parents = new Map()
  const begun = new Set()
  /** What is to be said in the next request of a session, once it is known. */
  const waiting = new Map()
  /** What was said beside a message: it must be there in every later request, or the model would forget it. */
  const beside = new Map()
  let isMissingSaid = false

  const tell = async (session, name, more = {}) => {
    const root = await rootOf(session)
    const event = {
      hook_event_name: name,
      session_id: root,
      ...(session === root ? {} : { agent_id: session, parent_id: await parentOf(session) }),
      cwd: directory,
      process_id: process.pid,
      ...more,
    }
    return contextIn(await run(event))
  }

  /** Child sessions are sub-agents of the session they began in. */
  const rootOf = async (session) => {
    let root = session
    for (let depth = 0; depth < 20; depth += 1) {
      const parent = await parentOf(root)
      if (!parent) break
      root = parent
    }
    return root
  }

  const parentOf = async (session) => {
    if (!parents.has(session)) {
      const found = await client.session.get({ path: { id: session } }).catch(() => undefined)
      parents.set(session, found?.data?.parentID)
    }
    return parents.get(session)
  }

  const run = (event) =>
    new Promise((resolve) => {
      const child = spawn(calls.hook, {
        shell: true,
        cwd: directory,
        stdio: ["pipe", "pipe", "ignore"],
        // Its own group, so that the program can be ended, not only the shell that started it.
        detached: process.platform !== "win32",
        windowsHide: true,
        // On Windows a shell looks in the project's folder first, where a program of this name would run instead of ours.
        env: { ...process.env, NoDefaultCurrentDirectoryInExePath: "1" },
      })
      let out = ""
      const finish = (output) => {
        clearTimeout(timer)
        resolve(output)
      }
      // Does not wait for its output to be closed: what it has started may hold that open.
      const timer = setTimeout(() => {
        endGroup(child)
        finish("")
      }, timeLimit)
      child.stdout.setEncoding("utf8").on("data", (chunk) => {
        out += chunk
      })
      child.on("error", () => finish(""))
      child.on("close", (code) => {
        if (notFound.includes(code)) sayMissing()
        finish(out)
      })
      // It may end without reading.
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(event))
    })

  const sayMissing = () => {
    if (isMissingSaid) return
    isMissingSaid = true
    const message = `Headway's plugin cannot run "${calls.hook}". Run "npm install --global ." in the folder of Headway, or remove the plugin.`
    const quietly = () => {}
    client.tui.showToast({ body: { title: "Headway", message, variant: "warning" } }).catch(quietly)
    client.app.log({ body: { service: "headway", level: "error", message } }).catch(quietly)
  }

  return {
    async config(config) {
      if (!calls.server || config.mcp?.headway) return
      config.mcp = { ...config.mcp, headway: { type: "local", command: calls.server, enabled: true } }
    },

    async event({ event: { type, properties } }) {
      if (type === "session.created") {
        const { id, parentID } = properties.info
        parents.set(id, parentID)
        begun.add(id)
      }
      if (type === "session.compacted") {
        const { sessionID } = properties
        waiting.set(sessionID, tell(sessionID, "SessionStart", { source: "compact" }))
      }
      if (type === "session.idle" && !(await parentOf(properties.sessionID))) await tell(properties.sessionID, "Stop")
      const state = stateIn(type, properties)
      if (state) await tell(properties.sessionID, state.name, state.more)
    },

    async "chat.message"({ sessionID }, { message, parts }) {
      // What a sub-agent is sent off with is not what a person says.
      if (await parentOf(sessionID)) return
      const texts = []
      if (!begun.has(sessionID)) {
        begun.add(sessionID)
        texts.push(await tell(sessionID, "SessionStart", { source: "resume" }))
      }
      const prompt = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? part.text : [])).join("\n")
      texts.push(await tell(sessionID, "UserPromptSubmit", { prompt }))
      const text = texts.filter(Boolean).join("\n\n")
      if (text) parts.push({ id: partId(), sessionID, messageID: message.id, type: "text", text, synthetic: true })
    },

    async "tool.execute.before"({ tool, sessionID, callID }, { args }) {
      if (!tool.startsWith("headway_")) return
      await tell(sessionID, "PreToolUse", { tool_name: tool, tool_input: args, tool_use_id: callID })
    },

    async "tool.execute.after"({ tool, sessionID, callID, args }, output) {
      // A tool that failed has no output.
      if (!output) return
      const result = tool === "todowrite" ? { tool_response: output.output } : {}
      const more = { tool_name: tool, tool_input: args, tool_use_id: callID, ...result }
      const text = await tell(sessionID, "PostToolUse", more)
      if (!text) return
      if (Array.isArray(output.content)) output.content.push({ type: "text", text })
      else if (typeof output.output === "string") output.output += `\n\n${text}`
    },

    async "experimental.chat.messages.transform"(_, { messages }) {
      const session = messages.at(-1)?.info.sessionID
      const last = messages.findLast(({ info }) => info.role === "user")
      const due = waiting.get(session)
      if (due && last) {
        waiting.delete(session)
        const text = await due
        if (text) beside.set(last.info.id, [...(beside.get(last.info.id) ?? []), text])
      }
      for (const { info, parts } of messages)
        for (const text of beside.get(info.id) ?? [])
          parts.push({
            id: partId(),
            sessionID: info.sessionID,
            messageID: info.id,
            type: "text",
            text,
            synthetic: true,
          })
    },

    async dispose() {
      copies.delete(directory)
    },
  }
}

const endGroup = (child) => {
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    // There is no such group where the system, or the host, has none.
    child.kill("SIGKILL")
  }
}

/** What an event says of the state of a session: it asks the person, has a reply, or has failed. */
const stateIn = (type, properties) => {
  if (!properties.sessionID) return undefined
  switch (type) {
    case "permission.asked":
    case "permission.v2.asked": {
      const { permission, action, patterns, resources } = properties
      const input = { pattern: [patterns ?? resources ?? []].flat().join(" ") }
      return { name: "PermissionRequest", more: { tool_name: permission ?? action, tool_input: input } }
    }
    case "question.asked":
      return { name: "QuestionAsked", more: { questions: properties.questions } }
    case "permission.replied":
    case "permission.v2.replied":
    case "question.replied":
    case "question.rejected":
      return { name: "Replied" }
    case "session.error": {
      const { name, data } = properties.error ?? {}
      if (!name || name === "MessageAbortedError") return undefined
      return { name: "StopFailure", more: { error: String(data?.message ?? name) } }
    }
    default:
      return undefined
  }
}

const contextIn = (out) => {
  try {
    return JSON.parse(out).hookSpecificOutput?.additionalContext ?? ""
  } catch {
    return ""
  }
}

/** Parts are kept in the order of their ids, and ids grow with time. */
const partId = () => {
  const time = (BigInt(Date.now()) * 0x1000n).toString(16).padStart(12, "0").slice(-12)
  return `prt_${time}${Math.random().toString(36).slice(2, 12).padEnd(14, "0")}`
}
