/** What the agent may do: what the person has trusted, what they are asked for, and what nobody is there to allow. */
import type { AgentOptions, Permission } from "../../reference-agent/index.ts"

type Asked = Pick<AgentOptions, "permit" | "confirm">

/** A trusted folder needs no asking; what reaches beyond it does. */
export const withTrust = (asked: Asked, isTrusted: boolean): Asked => ({
  ...asked,
  permit: async (permission, by) => (isTrusted && !permission.isOutside) || asked.permit(permission, by),
})

/** Nobody is there: what would need an answer is refused, with what would help; `--yes` answers for plan mode too. */
export const nobodyThere = (isTrusted: boolean): Asked => ({
  permit: async (permission) => ({ why: whyNot(permission, isTrusted) }),
  confirm: async () => isTrusted,
})

const whyNot = ({ isOutside }: Permission, isTrusted: boolean): string => {
  const nobody = "Nobody is there to allow it."
  if (isOutside)
    return `${nobody} It lies outside the working folder${isTrusted ? ", which is all that --yes trusts" : ""}.`
  return `${nobody} With --yes the user trusts this folder.`
}
