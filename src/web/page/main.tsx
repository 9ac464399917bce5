/** Starts the page. */
import { createRoot } from "react-dom/client"
import { App } from "./app.tsx"
import { listenToKeys } from "./keys/keyboard.ts"
import { createPage, PageProvider } from "./page.ts"

const place = document.getElementById("page")
if (place) {
  listenToKeys()
  createRoot(place).render(
    <PageProvider value={createPage()}>
      <App />
    </PageProvider>,
  )
}
