/** Whether a session file is compressed, going by its name alone. */
export const isCompressed = (path: string): boolean => path.endsWith(".zst")

/** The ending of session files, plain or compressed. */
export const sessionFileEnding = /\.jsonl?(?:\.zst)?$/
