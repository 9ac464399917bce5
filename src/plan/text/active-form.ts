/** The present-continuous wording of a todo: the one it was given, or one derived from its content. */

import type { Todo } from "../todo.ts"

/** What to show while the todo is being worked on. */
export const activeFormOf = (todo: Pick<Todo, "content" | "activeForm">): string =>
  todo.activeForm === undefined || todo.activeForm.trim() === "" ? deriveActiveForm(todo.content) : todo.activeForm

/** "Run tests" → "Running tests"; text that does not start with an English verb we know stays as it is. */
export const deriveActiveForm = (content: string): string => derive(content) ?? content

type Words = { has(word: string): boolean }

/** Made when first asked: most commands never derive a wording. */
const words = (list: string): Words => {
  let made: ReadonlySet<string> | undefined
  return {
    has(word) {
      made ??= new Set(list.trim().split(/\s+/))
      return made.has(word)
    },
  }
}

/** Verbs people and models begin a todo with. A word that is missing here costs only its "-ing". */
const verbs = words(`
  abort abstract accept achieve acknowledge activate adapt add address adjust adopt advise agree align allow amend
  analyse analyze animate annotate announce answer append apply approve archive arrange ask assemble assert assess assign
  attach audit authenticate authorise authorize automate avoid backport balance be begin benchmark bind bisect block
  boot bootstrap brainstorm break bring build bump bundle cache calculate call cancel capture catch centralise centralize
  change check choose clarify classify clean clear clone close collapse collect combine comment commit communicate compare
  compile complete compose compress compute configure confirm connect consider consolidate construct consult convert
  coordinate copy correct count cover craft create curate customise customize cut debug decide declare decode decommission
  decouple decrease decrypt dedupe deduplicate define defer delegate delete deliver demonstrate deploy deprecate derive
  describe design detect determine develop diagnose diff disable discard discover discuss display distribute do dockerise
  dockerize document download downgrade draft draw drop duplicate dye edit eliminate embed emit emphasise emphasize enable
  encapsulate encode encrypt enforce enhance enrich ensure enumerate escape establish estimate evaluate examine execute
  exclude expand experiment explain explore export expose extend extract factor fetch figure fill filter finalise finalize
  find finish fix flag flatten flesh fold follow forbid force forget fork format formulate freeze fuzz gather generate get
  give grab grant grep group guard guide halt handle harden help hide highlight hook identify ignore implement import
  improve include incorporate increase indent infer inform inherit initialise initialize inject inline insert inspect
  install instantiate instrument integrate internationalise internationalize introduce invalidate investigate invoke isolate
  iterate join justify keep kick label launch layer lazy-load lead learn let lift limit link lint list listen
  load localise localize locate lock log look lower maintain make manage map mark match maximise maximize measure memoise
  memoize merge migrate mimic minify minimise minimize mirror mock modernise modernize modify modularise modularize monitor
  mount move name narrow navigate negotiate normalise normalize notify obtain offer omit onboard open optimise optimize
  orchestrate organise organize outline overhaul override overwrite package paginate panic parallelise parallelize
  parameterise parameterize parse pass paste patch perform permit persist pick pin ping place plan play point polish
  populate port post prefer prepare present preserve prevent print prioritise prioritize probe produce profile promote
  prompt propagate propose protect prototype prove provide provision prune publish pull purge push put quantify quit raise
  reach read rebase receive recommend reconcile record recover redirect redo reduce refactor refer refine reflect refresh
  regenerate register release reload rely remove rename render repair repeat replace replicate reply report reproduce request
  require research reserve reset resolve respond restart restore restrict restructure resume retain retire retrieve retry
  return reuse revert review revise revisit revoke rewrite roll rotate round route run sanitise sanitize save scaffold scale
  scan schedule scope scrape search secure see seed select send separate serialise serialize serve set share ship show
  shorten shrink shut sign silence simplify simulate sketch skip slim smoke-test solve sort specify speed spike spin split
  squash stabilise stabilize stage standardise standardize start stop stress-test strip structure stub study submit
  subscribe suggest summarise summarize support surface survey suspend swap switch sync synchronise synchronize synthesise
  synthesize tackle tag take talk target teach tell terminate test think throttle throw tidy tie tighten toggle trace track
  train transfer transform translate traverse triage trigger trim troubleshoot try tune turn tweak undo understand unify
  uninstall unlock unset untangle update upgrade upload use validate vendor verify version view visit visualise visualize
  vote wait walk warn watch weigh wire withdraw work wrap write zip
`)

/** Nouns at least as often as verbs: taken as a verb only in front of a word such as "the" or "through". */
const doubtfulVerbs = words(`
  access back branch code file go host index model note order process query sample state store stream style time type value
`)

/** What makes the word before it a verb: an object or a particle follows. */
const verbCompanions = words(`
  a all an another any anything back both down each every everything her his in into it its more my off our out over some
  that the their them these this those through up your
`)

/** A word after which the first one was not an imperative: "Build fails", "Review of …", or another language. */
const verbDeniers = words(`
  am are be can cannot could did do does doesn't fail failed failing fails had has have is isn't may might must need needs of
  passed passes shall should was wasn't were will works would
  das de dem den der des die du ein eine einen el et für im la las le les los mit para pour un una und une von zum zur
`)

/** A few of the verbs are nouns when "for" follows: "Fix for the crash". */
const nounsBeforeFor = words(`
  benchmark change design document draft fix flag label mock patch prompt prototype release report request route scaffold
  scope sketch spike structure stub support test update upgrade version
`)

/** Words after which a noun that is also a verb is a noun. */
const nounPhrases: ReadonlyMap<string, Words> = new Map([
  ["build", words("artefacts artifacts errors failure failures pipeline process script scripts system")],
  ["design", words("doc docs document documents notes review system tokens")],
  ["pull", words("request requests")],
  ["release", words("candidate notes process")],
  ["setup", words("doc docs guide instructions page script scripts wizard")],
  ["support", words("page ticket tickets")],
  ["test", words("case cases coverage data failures plan report results suite suites")],
])

/** First parts of a hyphenated verb; others ("pre-commit", "multi-select") mostly make nouns and adjectives. */
const verbPrefixes = words(`
  bug cherry co code cross de double dry fact fine force hand hot load over pair re sanity smoke spell spot stress triple
  type un unit
`)

const particles = words("up out down off over back")

/** May come before the verb and stays: "Manually test …" → "Manually testing …". */
const adverbs = words(`
  actually also automatically carefully correctly finally first fully gracefully gradually lastly manually next now properly
  quickly safely then thoroughly
`)

const politeWords = words("kindly please")

/** Looks like "re" or "pre" with a verb, but names a thing. */
const notPrefixed = words("preset remark")

/** This many words may come before the verb or be joined to it; hostile text cannot make us go deeper. */
const mostLeadWords = 4

const derive = (text: string, leadWords = 0): string | undefined => {
  const match = /^(\s*)([A-Za-z]+(?:['’-][A-Za-z]+){0,3})(?=[\s,]|$)/.exec(text)
  const [opening = "", indent = "", word = ""] = match ?? []
  if (word === "" || isAllCapitals(word) || leadWords > mostLeadWords) return undefined
  const rest = text.slice(opening.length)
  const lower = word.toLowerCase()
  if (politeWords.has(lower) || adverbs.has(lower)) {
    const separator = /^,?\s+/.exec(rest)?.[0] ?? ""
    const derived = derive(rest.slice(separator.length), leadWords + 1)
    if (derived === undefined) return undefined
    return adverbs.has(lower) ? opening + separator + derived : indent + inCaseOf(word, derived)
  }
  const continuous = continuousOf(word)
  if (continuous === undefined || !readsAsVerb(lower, rest)) return undefined
  return indent + continuous + continueSecondVerb(continueJoinedVerbs(rest))
}

/** HTTP methods, SQL and acronyms are written like this: "GET /users", "API docs". */
const isAllCapitals = (word: string): boolean => word.length > 1 && word === word.toUpperCase()

/** "Please run …" → "Running …": the verb takes over the capital of the word that goes. */
const inCaseOf = (word: string, derived: string): string =>
  /^[A-Z]/.test(word) ? derived.charAt(0).toUpperCase() + derived.slice(1) : derived

const readsAsVerb = (lower: string, rest: string): boolean => {
  const next = /^\s+([^\s,.;:!?)]+)/.exec(rest)?.[1]?.toLowerCase() ?? ""
  if (doubtfulVerbs.has(lower)) return verbCompanions.has(next)
  if (verbDeniers.has(next) || nounPhrases.get(lower)?.has(next)) return false
  if (next === "for" && nounsBeforeFor.has(lower)) return false
  // Text that goes on in another script is another language, which may share a word with ours.
  const isPlain = next === "" || next.charCodeAt(0) < 128
  return isPlain || !/^[^\p{ASCII}\p{Emoji}\p{P}\p{S}]/u.test(next)
}

/** "Fix, test and merge …": verbs that directly follow the first one continue with it. */
const continueJoinedVerbs = (rest: string, joined = 0): string => {
  const match = /^(,?\s+(?:and then|and|or|then|&)\s+|,\s+)([a-z]+(?:-[a-z]+)?)(?=[\s,]|$)/.exec(rest)
  if (match === null || joined > mostLeadWords) return rest
  const [all, joint = "", word = ""] = match
  const continuous = continuousOf(word)
  const after = rest.slice(all.length)
  if (continuous === undefined || !readsAsVerb(word, after)) return rest
  return joint + continuous + continueJoinedVerbs(after, joined + 1)
}

/** Hardly ever nouns, so that what follows need not prove them. */
const plainVerbs = words("add confirm ensure fix implement install remove validate verify")

/** A word before "and" that makes the verb after it belong to another subject: "Ask the user to stop and restart it". */
const otherSubjects = words(`
  allow can could how if it let lets make must should so that they to user users what when where whether which who why will
  would you
`)

/** "Run the tests and fix any failure": one later verb, where an object shows that it is one. */
const continueSecondVerb = (rest: string): string => {
  const at = rest.indexOf(" and ")
  if (at <= 0) return rest
  const before = rest.slice(0, at)
  const match = /^ and (?:then )?([a-z]+)(?= ([a-z]+))/.exec(rest.slice(at, at + 80))
  const [matched = "", word = "", next = ""] = match ?? []
  const isVerb = plainVerbs.has(word) ? !verbDeniers.has(next) : verbCompanions.has(next)
  const continuous = isVerb ? continuousOf(word) : undefined
  if (continuous === undefined || /["'`“”‘’()«»]/.test(before)) return rest
  const isOurs = before
    .toLowerCase()
    .split(/[^a-z]+/)
    .every((earlier) => !otherSubjects.has(earlier) && !verbs.has(earlier))
  if (!isOurs) return rest
  return before + matched.slice(0, matched.length - word.length) + continuous + rest.slice(at + matched.length)
}

/** The "-ing" form in the letter case of the word, or nothing when it is not a verb we know. */
const continuousOf = (word: string): string | undefined => {
  const lower = word.toLowerCase()
  if (lower === "setup") return `${word.slice(0, 3)}ting up`
  if (verbs.has(lower) || doubtfulVerbs.has(lower)) return withIng(word)
  return continuousOfCompound(word, lower) ?? continuousOfPrefixed(word, lower)
}

const continuousOfCompound = (word: string, lower: string): string | undefined => {
  const [first = "", second = "", ...more] = lower.split("-")
  if (second === "" || more.length > 0) return undefined
  if (verbs.has(first) && particles.has(second)) return withIng(word.slice(0, first.length)) + word.slice(first.length)
  if (!verbPrefixes.has(first) || !verbs.has(second)) return undefined
  return word.slice(0, first.length + 1) + withIng(word.slice(first.length + 1))
}

const continuousOfPrefixed = (word: string, lower: string): string | undefined => {
  const prefix = /^(?:re|un|pre)/.exec(lower)?.[0] ?? ""
  const stem = lower.slice(prefix.length)
  if (prefix === "" || stem.length < 3 || !verbs.has(stem) || notPrefixed.has(lower)) return undefined
  return word.slice(0, prefix.length) + withIng(word.slice(prefix.length))
}

/**
 * Longer verbs whose last syllable is stressed double their consonant, the others ("edit", "open") do not.
 * Those in "l" follow the British spelling, as does the rest of Headway.
 */
const doublingVerbs = words(`
  begin bootstrap cancel commit debug defer embed emit forbid forget format infer label omit permit prefer quit refer
  reset submit transfer unset
`)

const withIng = (verb: string): string => {
  const lower = verb.toLowerCase()
  const last = verb.at(-1) ?? ""
  if (lower.endsWith("ie")) return `${verb.slice(0, -2)}ying`
  if (lower.endsWith("e") && lower.length > 2 && !/[eoy]e$/.test(lower)) return `${verb.slice(0, -1)}ing`
  if (/[aeiou]c$/.test(lower)) return `${verb}king`
  // One syllable, one vowel, one consonant: "run", "map", "strip"; never w, x or y: "fix", "draw".
  const isShort = /^(?:qu|[^aeiou])*[aeiou][bdfgklmnprstvz]$/.test(lower)
  return isShort || doublingVerbs.has(lower) ? `${verb}${last}ing` : `${verb}ing`
}
