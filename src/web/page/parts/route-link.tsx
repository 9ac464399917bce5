/** A link to another view, which opens without loading the page again. */
import type { AnchorHTMLAttributes } from "react"
import { usePage } from "../page.ts"
import { pathOf, type Route } from "../route.ts"

export const RouteLink = ({ to, ...others }: { to: Route } & AnchorHTMLAttributes<HTMLAnchorElement>) => {
  const { router } = usePage()
  return (
    <a
      {...others}
      href={pathOf(to)}
      onClick={(event) => {
        const isForBrowser = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0
        if (isForBrowser) return
        event.preventDefault()
        router.go(to)
      }}
    />
  )
}
