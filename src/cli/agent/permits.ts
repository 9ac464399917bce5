/** The agent's permissions: what is trusted, what is asked, and what is refused without a person to ask. */
import type { AgentOptions, Permission } from "../../reference-agent/index.ts"

type Asked = Pick<AgentOptions, "permit" | "confirm">

/** Actions in a trusted folder need no question; actions outside it do. */
export const withTrust = (asked: Asked, isTrusted: boolean): Asked => ({
  ...asked,
  permit: async (permission, by) => (isTrusted && !permission.isOutside) || asked.permit(permission, by),
})

/** Without a person to ask, anything that needs an answer is refused with a hint; `--yes` also approves plans. */
export const withoutPerson = (isTrusted: boolean): Asked => ({
  permit: async (permission) => ({ why: whyNot(permission, isTrusted) }),
  confirm: async () => isTrusted,
})

const whyNot = ({ isOutside }: Permission, isTrusted: boolean): string => {
  const alone = "There is no one to ask."
  if (isOutside)
    return `${alone} It is outside the working folder${isTrusted ? ", which is all that --yes trusts" : ""}.`
  return `${alone} With --yes the user trusts this folder.`
}
