/** Decides by its calls whether a program written on the command line may change files. */
import { isInTemporaryFolder } from "./folders.ts"

/** Programs that take another program as text. */
export const interpreter =
  /^(?:python[\d.]*|py|node|nodejs|ruby|perl|deno|bun|php|osascript|g?awk|tsx|ts-node|lua|julia|Rscript|groovy|pwsh|powershell)$/i

/** The option before the text, for all of these programs. */
export const textOption = /^(?:-\w*[ceE]|--eval|--print|-p|-pe|-r|-Command|eval)$/

/** Calls that write, move or remove a file, or run another program, in the languages above. */
const writing: readonly RegExp[] = [
  // `open("a", "w")`, `fopen`, `File.open`, `Path.open`, but not with a mode that only reads.
  /\bf?open\s*\([^)]{0,500}?,\s*(?:mode\s*=\s*)?["'][rbt]*[wax+]/,
  /\.open\s*\(\s*(?:mode\s*=\s*)?["'][rbt]*[wax+]/,
  /\bopen\b[^;\n]{0,500}["']\s*\+?>/,
  /(?<!\b(?:stdout|stderr|STDOUT|STDERR|res|response|socket|StringIO|buf\w{0,40}))\.write(?:lines|ln)?\s*\(/,
  /\bwrite_?(?:text|bytes|file\w*|json\w*|all\w*)\b/i,
  /\b(?:append|copy|cp|truncate|rename|unlink|symlink|link|chmod|outputFile|outputJson|move|remove|emptyDir)(?:File)?(?:Sync)?\s*\(\s*(?:["'`]|\w*(?:path|file|name|src|dest|dir|f|p)\b)/i,
  /\bcreateWriteStream\b|\brm(?:dir)?(?:Sync)?\s*\(/,
  /\bfile_put_contents\b|\bfwrite\b|\bfputs\b/,
  /\b(?:File|IO|FileUtils)\.(?:write|binwrite|rename|delete|open|mv|cp|rm|touch)\w*/,
  /\bos\.(?:rename|replace|remove|unlink|rmdir|removedirs|truncate|symlink|link)\b/,
  /\bshutil\.|\bfileinput\b|\.(?:unlink|rename|touch|rmdir)\s*\(\s*\)|\.rename\s*\(/,
  /\b(?:json|yaml|toml\w*|pickle|plistlib)\.(?:safe_)?dump\s*\(/,
  /\.(?:save|to_csv|to_json|to_parquet|to_excel|savefig)\s*\(/,
  /\b(?:Deno|Bun)\.write\w*/,
  /\b(?:Set|Add|Clear)-Content\b|\bOut-File\b|\b(?:New|Remove|Move|Copy|Rename)-Item\b|\[(?:System\.)?IO\.File\]::Write/i,
  // Another program may do anything.
  /\bsubprocess\b|\bos\.(?:system|popen|exec\w*|spawn\w*)\b|\bchild_process\b|\bexec(?:File)?Sync\b|\bspawn(?:Sync)?\s*\(|\bshell_exec\b|\bpassthru\b|\bsystem\s*\(|\bBun\.(?:\$|spawn)|\bDeno\.Command\b/,
]

/** What `awk` writes: `print > "a.txt"`. */
const awkWriting = /\bprintf?\b[^;{}]{0,500}>>?\s*(?:["$\w(])|\bsystem\s*\(/

/** Whether a text in one of these languages may change files, except in a temporary folder outside the project. */
export const codeMayWrite = (program: string, text: string, project: string): boolean => {
  if (/awk$/.test(program)) return awkWriting.test(text)
  if (!writing.some((pattern) => pattern.test(text))) return false
  const paths = [...text.matchAll(/["'`]([^"'`\n]{1,400})["'`]/g)].flatMap(([, word = ""]) =>
    isPath.test(word) ? [word] : [],
  )
  return paths.length === 0 || !paths.every(isOfNoProject) || (project !== "" && text.includes(project))
}

const isPath = /^[\w@.~$/\\{}-]*(?:\/[\w@.$/\\{}*-]+|\.[A-Za-z]\w{0,5})$/

const isOfNoProject = (path: string): boolean => isInTemporaryFolder(path) || path.startsWith("/dev/")
