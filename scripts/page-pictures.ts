/** Takes the README's pictures of the page: serves a day of several agents and shoots the board, and a phone in the dark. */
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openBrowser, openPage } from "../test/web/browser.ts"
import { servePage } from "../test/web/served-page.ts"
import { stageDay } from "../test/web/staged-day.ts"
import { createStage } from "../test/web/staged-home.ts"

export const pagePictures = async (): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), "headway-picture-"))
  const day = stageDay(createStage(home))
  const served = await servePage(home)
  const browser = await openBrowser()
  try {
    const wide = await openPage(browser, served.address, { width: 1360, height: 740 })
    await wide.getByText("Translate the install guide").waitFor()
    await wide.screenshot({ path: "docs/page.png" })

    const phone = await openPage(browser, served.address, { isPhone: true, isDark: true, height: 700 })
    await phone.getByText("Translate the install guide").waitFor()
    await phone.screenshot({ path: "docs/page-phone.png" })
  } finally {
    await browser.close()
    await served.stop()
    day.end()
    rmSync(home, { recursive: true, force: true })
  }
  for (const file of ["docs/page.png", "docs/page-phone.png"])
    console.log(`${file}: ${Math.ceil(statSync(file).size / 1024)} KB`)
}
