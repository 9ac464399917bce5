/** `headway serve devices`, `revoke` and `pair`: how a person manages other devices while the server runs. */
import { openDevices, type PairedDevice } from "../../home/serve/devices.ts"
import { readToken } from "../../home/serve/token.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import { isRecord } from "../../plan/log/shape.ts"
import type { Context } from "../command.ts"
import { ageText } from "../duration.ts"
import { printJson } from "../output/plan-json.ts"
import { say } from "../output/say.ts"
import { homeOf } from "../place/place.ts"
import { findRunningServer } from "./running-server.ts"

export const listDevices = async (context: Context): Promise<number> => {
  const { io, values } = context
  const devices = openDevices(homeOf(context), io.now).list()
  if (values.json) io.out(printJson(devices))
  else if (devices.length === 0) say(io, 'No device is paired. "headway serve --lan" shows how to pair one.')
  else io.out(devices.map((one) => `${deviceLine(one, io.now())}\n`).join(""))
  return 0
}

const deviceLine = ({ id, name, paired, seen }: PairedDevice, now: Date): string =>
  `${id}  ${name}  paired ${ageText(paired, now)} ago${seen === undefined ? "" : `, seen ${ageText(seen, now)} ago`}`

/** By its id, or the beginning of it; `all` revokes every one. */
export const revokeDevice = async (context: Context, named: string | undefined): Promise<number> => {
  const { io } = context
  const devices = openDevices(homeOf(context), io.now)
  if (!named)
    throw new HeadwayError(
      "usage",
      'Name the device: "headway serve devices" lists their ids; "all" revokes every one.',
    )
  const meant = devices.list().filter(({ id }) => named === "all" || id.startsWith(named))
  if (meant.length === 0) throw new HeadwayError("no-device", `There is no device "${named}" here.`)
  if (named !== "all" && meant.length > 1)
    throw new HeadwayError("usage", `"${named}" matches the ids of ${meant.length} devices. Type more of the id.`)
  for (const { id, name } of meant) {
    devices.remove(id)
    io.out(`revoked ${name} (${id})\n`)
  }
  return 0
}

/** Asks the server that runs for an address that pairs one device. */
export const inviteDevice = async (context: Context): Promise<{ address: string; expires: string }> => {
  const home = homeOf(context)
  const token = readToken(home)
  const running = await findRunningServer(home, token)
  if (!running) throw new HeadwayError("not-running", 'No server is running. Start one with "headway serve --lan".')
  const response = await fetch(`${running.origin}/api/invites`, {
    method: "POST",
    redirect: "error",
    headers: { authorization: `Bearer ${token}` },
  })
  const reply: unknown = await response.json()
  if (isRecord(reply) && typeof reply.address === "string" && typeof reply.expires === "string")
    return { address: reply.address, expires: reply.expires }
  throw new HeadwayError(
    "not-reachable",
    'The running server serves only this machine. Stop it and start "headway serve --lan".',
  )
}
