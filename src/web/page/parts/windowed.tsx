/** A long list that renders only items near the screen. The others keep their place and height. */
import { type ReactNode, useEffect, useRef, useState } from "react"

type WindowedProps<Item> = {
  items: readonly Item[]
  render: (item: Item, index: number) => ReactNode
  /** The height of an item that has never been drawn, in pixels. */
  height: number
  /** How many items are rendered and removed together. @default 40 */
  size?: number
  as?: "ol" | "ul" | "div"
  label?: string
}

export const Windowed = <Item,>({ items, render, height, size = 40, as: List = "ol", label }: WindowedProps<Item>) => {
  const groups = Array.from({ length: Math.ceil(items.length / size) }, (_, index) => index * size)
  if (groups.length <= 1) return <List aria-label={label}>{items.map((item, index) => render(item, index))}</List>
  return (
    <div className="windowed">
      {groups.map((start) => (
        <Group
          key={start}
          as={List}
          label={label}
          isFirst={start === 0}
          estimate={height * Math.min(size, items.length - start)}
          render={() => items.slice(start, start + size).map((item, index) => render(item, start + index))}
        />
      ))}
    </div>
  )
}

type GroupProps = {
  as: "ol" | "ul" | "div"
  label: string | undefined
  isFirst: boolean
  estimate: number
  render: () => ReactNode
}

/** Items within this distance from the screen are rendered. */
const margin = "1200px 0px"

const Group = ({ as: List, label, isFirst, estimate, render }: GroupProps) => {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(isFirst)
  const [known, setKnown] = useState<number>()
  useEffect(() => {
    const { current } = place
    if (!current) return
    const observer = new IntersectionObserver(
      (entries) => {
        const isIntersecting = entries.at(-1)?.isIntersecting === true
        // The focused item stays rendered; otherwise the keyboard would lose its place.
        if (!isIntersecting && current.contains(document.activeElement)) return
        if (!isIntersecting) setKnown(current.offsetHeight || undefined)
        setNear(isIntersecting)
      },
      { rootMargin: margin },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} data-group={isNear ? "drawn" : "empty"} style={isNear ? undefined : { height: known ?? estimate }}>
      {isNear && <List aria-label={label}>{render()}</List>}
    </div>
  )
}
