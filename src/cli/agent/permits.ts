/** What the agent may do: what the person has trusted, what they are asked for, and what is refused where there is no person to ask. */
import type { AgentOptions, Permission } from "../../reference-agent/index.ts"

type Asked = Pick<AgentOptions, "permit" | "confirm">

/** A trusted folder needs no asking; what reaches beyond it does. */
export const withTrust = (asked: Asked, isTrusted: boolean): Asked => ({
  ...asked,
  permit: async (permission, by) => (isTrusted && !permission.isOutside) || asked.permit(permission, by),
})

/** Without a person to ask: what would need an answer is refused, with what would help; `--yes` agrees to plans too. */
export const withoutPerson = (isTrusted: boolean): Asked => ({
  permit: async (permission) => ({ why: whyNot(permission, isTrusted) }),
  confirm: async () => isTrusted,
})

const whyNot = ({ isOutside }: Permission, isTrusted: boolean): string => {
  const alone = "No one here can allow it."
  if (isOutside)
    return `${alone} It is outside the working folder${isTrusted ? ", which is all that --yes trusts" : ""}.`
  return `${alone} With --yes the user trusts this folder.`
}
