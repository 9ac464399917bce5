/** An error of the operating system as a sentence: what is wrong, and with which file. */

const reasons: Readonly<Record<string, string>> = {
  EACCES: "You may not use this file or folder",
  EPERM: "The system does not allow this",
  EROFS: "The disk is read-only",
  ENOSPC: "The disk is full",
  EDQUOT: "Your share of the disk is used up",
  EFBIG: "The file would become too large",
  EIO: "The file cannot be read or written: the system reports an input/output error",
  EISDIR: "This is a folder, and a file is needed",
  ENOTDIR: "A folder is needed where there is a file",
  ENOENT: "This file or folder does not exist",
  ENAMETOOLONG: "The name is too long for this disk",
  EMFILE: "This program has too many files open",
  ENFILE: "Too many files are open on this machine",
}

/** An error of the operating system, such as a missing file or a read-only folder. */
export const isSystemError = (cause: unknown): cause is NodeJS.ErrnoException =>
  cause instanceof Error && "syscall" in cause

/** Errors of other kinds keep the words of the system. */
export const systemSentence = ({ code = "", path, message }: NodeJS.ErrnoException): string => {
  const reason = reasons[code]
  if (reason === undefined) return message
  return path === undefined ? `${reason} (${code}).` : `${reason} (${code}): ${path}`
}
