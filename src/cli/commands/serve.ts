/** `headway serve`: the board in the browser, also on the phone, and the MCP server over HTTP, at one address. */
import { readServeNote, removeServeNote, type ServeNote, saveServeNote } from "../../home/serve-note.ts"
import { loadToken, makeToken, readToken, saveToken } from "../../home/token.ts"
import { HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import { defaultPort, gatesOf, mcpOptions, portOption, readMcpOptions } from "../bridge/mcp-options.ts"
import { type Context, defineCommand } from "../command.ts"
import { printJson } from "../output/plan-json.ts"
import { createProgress } from "../output/progress.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place/place.ts"
import type { Options } from "../words/option.ts"

const options = {
  ...mcpOptions,
  port: { ...portOption, short: "p" },
  open: { type: "boolean", about: "open the page in your browser" },
  lan: { type: "boolean", about: "also serve paired devices in your networks, over HTTPS" },
  host: { type: "string", value: "ADDRESS", about: "like --lan, but only at this address of this machine" },
  cert: { type: "string", value: "FILE", about: "with --lan: your own certificate, as PEM (default a generated one)" },
  key: { type: "string", value: "FILE", about: "with --cert: its key" },
  "new-token": { type: "boolean", about: "make a new token; the old address stops working" },
} as const satisfies Options

type ServeContext = Context<typeof options>

/** What the first word can be; without one it serves. */
const actions: Record<string, (context: ServeContext) => Promise<number>> = {
  devices: async (context) => (await import("../serve/manage-devices.ts")).listDevices(context),
  revoke: async (context) => (await import("../serve/manage-devices.ts")).revokeDevice(context, context.words[1]),
  pair: async (context) => {
    const { inviteDevice } = await import("../serve/manage-devices.ts")
    const invite = await inviteDevice(context)
    if (context.values.json) context.io.out(printJson(invite))
    else await showInvite(context, invite)
    return 0
  },
}

const actionNames = Object.keys(actions)

export const serve = defineCommand({
  usage: "serve [devices|revoke ID|pair] [--open] [--port N] [--lan] [--host A] [--cert F --key F] [--new-token]",
  about: `Serves the board to your browser, and the todo tool over MCP (streamable HTTP), on 127.0.0.1 until Ctrl+C. Prints both addresses.

A program that has an address can read and change your plans: the address holds a token, which is kept in your home and stays the same.
"headway setup AGENT --http" gives it to an agent. With --lan you can also open it on your phone: scan the QR code, then press the button.

  devices     lists the paired devices
  revoke ID   removes a device's access; "all" removes every device's
  pair        shows another QR code, from the running server`,
  options,
  firstWords: actionNames,
  maxWords: 2,
  examples: ["headway serve --open", "headway serve --lan", "headway serve devices", "headway serve --new-token"],
  async run(context) {
    const [word] = context.words
    if (word === undefined) return serveHere(context)
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined
    if (action) return action(context)
    throw new HeadwayError("usage", `"headway serve" takes ${actionNames.join(", ")}, not "${word}".`)
  },
})

const serveHere = async (context: ServeContext): Promise<number> => {
  const mcp = readMcpOptions(context)
  const { io, values } = context
  // Where plans are kept in a project the token is not: others work there too.
  const home = homeOf(context)
  const isNew = values["new-token"] === true
  const token = isNew ? makeToken() : loadToken(home)
  const running = isNew ? undefined : await runningAt(home, token, values.port)
  if (running) return tellRunning(context, running, token)
  const remote = await remoteOf(context, home)
  const { startServer } = await import("../serve/start-server.ts")
  const progress = createProgress(io)
  const server = await startServer(context, {
    mcp,
    gateAt: await gatesOf(context),
    remote,
    port: values.port ?? defaultPort,
    token: () => tokenNow(home),
    onPaired: (name) => say(io, `paired: ${name}`),
    onProgress: (done, total) => progress.report(() => `${done} of ${total} session files read`),
  }).finally(progress.clear)
  const note = { pid: process.pid, origin: server.origin, remote: server.remotes[0] }
  try {
    if (isNew) saveToken(home, token)
    saveServeNote(home, note)
  } catch (cause) {
    // No one could show the new one to it.
    await server.close()
    throw cause
  }
  const stopped = io.stopped()
  const invite = await server.invite()
  tellAddresses(context, { ...addressesOf(server.origin, token), lan: server.remotes, invite })
  if (remote) tellRemote(context, server.remotes, remote.certificate)
  if (invite && !values.json) await showInvite(context, invite)
  if (isNew) say(io, 'Run "headway setup AGENT --http" again for agents connected that way: they need the new token.')
  await openWhereAsked(context, home, addressesOf(server.origin, token).page)
  say(io, "serving until Ctrl+C")
  if (!stopped.aborted) await new Promise((resolve) => stopped.addEventListener("abort", resolve, { once: true }))
  removeServeNote(home, note)
  await server.close()
  return 0
}

/** The server that runs already, unless a person asks for another port: then theirs is a second one. */
const runningAt = async (home: string, token: string, port: number | undefined): Promise<ServeNote | undefined> => {
  const note = readServeNote(home)
  if (!note || (port !== undefined && Number(new URL(note.origin).port) !== port)) return undefined
  const { isRunning } = await import("../serve/running-server.ts")
  return (await isRunning(note, token)) ? note : undefined
}

const tellRunning = async (context: ServeContext, running: ServeNote, token: string): Promise<number> => {
  const { io, values } = context
  tellAddresses(context, { ...addressesOf(running.origin, token), lan: running.remote ? [running.remote] : [] })
  say(io, `process ${running.pid} already serves these; stop it first to serve with other options`)
  if ((values.lan || values.host !== undefined) && running.remote === undefined)
    throw new HeadwayError("not-reachable", "The server that is already running serves only this machine.")
  await openWhereAsked(context, homeOf(context), addressesOf(running.origin, token).page)
  return 0
}

type Addresses = { page: string; mcp: string; lan: readonly string[]; invite?: object | undefined }

const addressesOf = (origin: string, token: string): { page: string; mcp: string } => ({
  page: `${origin}/?token=${token}`,
  mcp: `${origin}/mcp?token=${token}`,
})

const tellAddresses = ({ io, values }: ServeContext, { page, mcp, lan, invite }: Addresses): void => {
  if (values.json) io.out(printJson({ page, mcp, lan, ...(invite ? { invite } : {}) }))
  else io.out(`page  ${page}\nmcp   ${mcp}\n${lan.map((one) => `lan   ${one}/\n`).join("")}`)
}

/** The address and certificate for other devices; undefined if there are none. */
const remoteOf = async ({ io, values }: ServeContext, home: string) => {
  const { lan, host, cert, key } = values
  const isRemote = lan === true || host !== undefined
  if ((cert === undefined) !== (key === undefined))
    throw new HeadwayError("usage", "--cert and --key go together: a certificate and its key.")
  if (cert !== undefined && !isRemote) throw new HeadwayError("usage", "--cert needs --lan or --host ADDRESS.")
  if (!isRemote) return undefined
  const { namesFor, remoteAddresses } = await import("../serve/addresses.ts")
  const addresses = remoteAddresses(host)
  if (addresses.length === 0) return undefined
  const { namedCertificate, ownCertificate } = await import("../serve/certificate.ts")
  const certificate =
    cert !== undefined && key !== undefined
      ? namedCertificate({ cert, key }, io.cwd)
      : ownCertificate(home, namesFor(addresses), io.now())
  return { addresses, certificate }
}

const tellRemote = (
  { io }: ServeContext,
  remotes: readonly string[],
  { fingerprint, isOwn }: { fingerprint: string; isOwn: boolean },
): void => {
  say(io, `WARNING: everyone in your network can reach ${remotes.join(", ")}. Only devices you have paired get in.`)
  if (isOwn) say(io, "The certificate is self-signed, so browsers warn about it once. Compare its SHA-256 fingerprint:")
  io.err(`  ${fingerprint}\n`)
}

const showInvite = async ({ io, values }: Context, { address, expires }: { address: string; expires: string }) => {
  const { qrCode } = await import("../serve/qr-code.ts")
  if (io.isTerminal.err) io.err(`\n${qrCode(address, { isAscii: values.ascii === true })}\n\n`)
  const minutes = Math.max(1, Math.round((Date.parse(expires) - io.now().getTime()) / 60_000))
  io.err(`pair  ${address}\n`)
  say(
    io,
    `The QR code and this address pair one device within ${minutes} minutes. "headway serve pair" makes new ones.`,
  )
}

const openWhereAsked = async ({ io, values }: ServeContext, home: string, address: string): Promise<void> => {
  if (!values.open) return
  const { openBrowser } = await import("../serve/open-browser.ts")
  try {
    openBrowser(io, home, address)
  } catch (cause) {
    if (!isHeadwayError(cause)) throw cause
    say(io, cause.message)
  }
}

/** Another server may have made a new one: then the old one stops working here too. */
const tokenNow = (home: string): string | undefined => {
  try {
    return readToken(home)
  } catch {
    return undefined
  }
}
