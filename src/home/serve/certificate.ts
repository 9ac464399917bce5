/** The self-signed certificate of `headway serve` and its key: one file in the home, readable only by its owner. */
import { join } from "node:path"
import { foreignTextIn } from "../reading/foreign-file.ts"
import { replaceFile } from "../writing/write-file.ts"

const fileIn = (home: string): string => join(home, "serve-certificate.pem")

/** In bytes. */
const longestFile = 64 << 10

/** Key and certificate as PEM in one text; undefined if there is none. */
export const readCertificate = (home: string): string | undefined => foreignTextIn(fileIn(home), longestFile)

export const saveCertificate = (home: string, pem: string): void =>
  void replaceFile(fileIn(home), pem, join(home, "tmp"), { isDurable: true })
