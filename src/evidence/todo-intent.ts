/** Guesses the intent of a todo from its text. */

/** Whether a todo is about reading, planning or deciding, which needs no edit. */
export const expectsNoEdit = (content: string): boolean => {
  const text = beginningOf(content)
  return exploring.test(text) && !building.test(text)
}

/** The beginning of a todo's text, which contains its subject. Comparing a very long text would be slow. */
const beginningOf = (content: string): string => content.trim().slice(0, 500)

const exploring =
  /^(?:\W|\d)*(?:(?:explor|read|research|understand|analy[sz]|review|plan|design|investigat|look|find|identif|search|study|examin|gather|inspect|locat|decid|discuss|ask|propos|summari[sz]|report|explain|assess|evaluat|audit|compar|confirm|clarif|determin|learn|trace|map|brainstorm|consider|present|get|fetch|collect|discover)\w*|check (?:the |for |if |what |which |how |whether )|list )/i

const building = /\b(?:and|then)\b.*\b(?:implement|fix|add|write|update|create|refactor|change|remove|apply)\b/i

/** Whether a todo may be done although a check fails: writing tests first, reproducing, debugging. */
export const mayEndInFailure = (content: string): boolean =>
  [failing, testWriting, reporting, finding].some((pattern) => pattern.test(beginningOf(content))) ||
  expectsNoEdit(content)

const failing =
  /\b(?:failing|fails?|failures?|red\b|tdd|reproduc\w*|repro|debug\w*|investigat\w*|diagnos\w*|baseline|root cause|bisect|broken)\b/i

const testWriting =
  /\b(?:write|writing|add|adding|create|creating|extend|author|draft|port|pin|specify|cover|express|capture)\b[^.;]*\b(?:tests?|specs?|coverage)\b/i

/** Running something and reporting the result is done even if it fails. */
const reporting =
  /\b(?:report|summari[sz]e|document|note|record|collect|capture|see|observe|measure|log)\b[^.;]*\b(?:results?|outputs?|outcomes?|errors?|status|state|what|which|whether|how)\b|\b(?:current|existing) (?:test |build |lint )?(?:state|status)\b/i

/** Running something to find errors: "run the linter to identify issues". */
const finding =
  /\bto (?:identify|find|discover|locate|reveal|surface|list|see|learn|determine|establish|check (?:for|what|which|how|current))\b/i

/**
 * Whether the todo is about fixing failures of checks. While it is open, the list itself admits that something fails.
 */
export const fixesFailures = (content: string): boolean => fixing.test(beginningOf(content))

const fixing =
  /\b(?:fix|resolv|address|repair|correct|debug|investigat)\w*\b.*\b(?:fail\w*|tests?|specs?|errors?|issues?|problems?|warnings?|regressions?|violations?|lint\w*|types?|build|compil\w*)\b/i

/** Whether the todo itself is about running a check. */
export const isAboutChecking = (content: string): boolean =>
  [checking, running].some((pattern) => pattern.test(beginningOf(content)))

const checking =
  /^(?:\W|\d)*(?:final(?:ly)?[: ]+)?(?:re-?)?(?:run|running|execute|verify|verifying|test|testing|lint|build|validate|type-?check|ensure|make sure|check)\b/i

const running = /\b(?:run|verify|validate)\b.*\b(?:tests?|build|lint|suite|checks?|ci|type-?check)\b/i

/** Whether a todo still includes tests or other checks, with any verb. */
export const bringsChecks = (content: string): boolean =>
  (isAboutChecking(content) && !expectsNoEdit(content)) ||
  /\b(?:tests?|specs?|lint\w*|type-?checks?|ci)\b/i.test(beginningOf(content))
