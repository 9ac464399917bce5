/** Everything that `headway serve` listens with: the page and MCP on this machine, and the page for other devices. */
import { type HttpListener, listenHttp } from "../../bridges/http/listener.ts"
import { serveMcp } from "../../bridges/mcp/http.ts"
import { createMcpServer } from "../../bridges/mcp.ts"
import type { Invite } from "../../web/api.ts"
import type { readMcpOptions } from "../bridge/mcp-options.ts"
import { openServerPlans, type ServerPlansOptions } from "../bridge/plans/server-plans.ts"
import type { Context } from "../command.ts"
import { isLoopback, namesFor } from "./addresses.ts"
import type { Certificate } from "./certificate.ts"
import { openPageServer } from "./page-server.ts"

export type ServerOptions = {
  port: number
  /** The token that counts now. */
  token: () => string | undefined
  mcp: ReturnType<typeof readMcpOptions>
  gateAt?: ServerPlansOptions["gateAt"]
  /** For other devices; each of the addresses has its own listener. */
  remote?: { addresses: readonly string[]; certificate: Certificate } | undefined
  /** Told of every device that was paired. */
  onPaired: (name: string) => void
  onProgress?: (done: number, total: number) => void
}

export type RunningServer = {
  /** On this machine. */
  origin: string
  mcpUrl: string
  /** For other devices, the likeliest first. */
  remotes: readonly string[]
  invite(): Promise<Invite | undefined>
  close(): Promise<void>
}

/** Listens first: a port in use is reported immediately, and requests wait until all sessions are read. */
export const startServer = async (context: Context, options: ServerOptions): Promise<RunningServer> => {
  const { port, token, mcp, remote, onPaired, onProgress } = options
  const { isShared, ...words } = mcp
  const names = new Set(namesFor(remote?.addresses ?? []))
  const remotes: HttpListener[] = []
  const plans = openServerPlans(context, { isShared, isChild: false, gateAt: options.gateAt })
  let opening: ReturnType<typeof openPageServer> | undefined
  const page = (): ReturnType<typeof openPageServer> => {
    opening ??= openPageServer(context, {
      token,
      isHost: (name) => isLoopback(name) || names.has(name),
      remoteOrigin: () => remotes[0]?.origin,
      onPaired,
      ...(onProgress ? { onProgress } : {}),
    })
    return opening
  }
  const answer: Parameters<typeof listenHttp>[0]["answer"] = async (request, response, onKnown) =>
    (await page()).listener(request, response, onKnown)
  const own = await serveMcp({
    port,
    token,
    createServer: (folder) =>
      createMcpServer({ ...words, isShared, env: {}, folder, isElsewhere: true, ...plans, ...plans.connect() }),
    beside: answer,
  })
  const { origin } = new URL(own.url)

  const close = async (): Promise<void> => {
    await Promise.all([own, ...remotes].map((one) => one.close()))
    await (await opening?.catch(() => undefined))?.close()
    await plans.close()
  }

  try {
    for (const host of remote?.addresses ?? []) {
      const { cert, key } = remote?.certificate ?? { cert: "", key: "" }
      const onFailure: Parameters<typeof listenHttp>[0]["onFailure"] = (response) => response.writeHead(500).end()
      remotes.push(
        await listenHttp({ port: Number(new URL(origin).port), host, tls: { cert, key }, answer, onFailure }),
      )
    }
    await page()
  } catch (cause) {
    await close()
    throw cause
  }
  return {
    origin,
    mcpUrl: own.url,
    remotes: remotes.map((one) => one.origin),
    invite: async () => (await page()).invite(),
    close,
  }
}
