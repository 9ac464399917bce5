/** An address as a QR code, drawn with characters. */
import { encode, renderUnicodeCompact } from "uqr"

/** Light on dark, as most terminals are; phones read it the other way round too. */
export const qrCode = (text: string, { isAscii }: { isAscii: boolean }): string =>
  isAscii
    ? encode(text, { border: 2, ecc: "L" })
        .data.map((row) => row.map((isDark) => (isDark ? "  " : "##")).join(""))
        .join("\n")
    : renderUnicodeCompact(text, { border: 2, ecc: "L" })
