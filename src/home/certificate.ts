/** The certificate that `headway serve` made for itself, with its key: one file in the home, for its owner's eyes alone. */
import { join } from "node:path"
import { foreignTextIn } from "./foreign-file.ts"
import { replaceFile } from "./write-file.ts"

const fileIn = (home: string): string => join(home, "serve-certificate.pem")

/** In bytes. */
const longestFile = 64 << 10

/** Key and certificate, both as PEM in one text; undefined where none was made. */
export const readCertificate = (home: string): string | undefined => foreignTextIn(fileIn(home), longestFile)

export const saveCertificate = (home: string, pem: string): void =>
  void replaceFile(fileIn(home), pem, join(home, "tmp"), { isDurable: true })
