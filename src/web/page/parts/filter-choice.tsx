/** One control for all filters: a native select, which works with every keyboard and screen reader. */
import { usePage } from "../page.ts"
import { type Filter, type FilterKind, useShownRows } from "./filter.ts"
import { shownText } from "./text.tsx"

const titles: Readonly<Record<FilterKind, string>> = { person: "Person", machine: "Machine", project: "Project" }
const kinds = Object.keys(titles) as FilterKind[]

const optionOf = ({ kind, name }: Filter): string => `${kind}:${name}`

const filterOf = (value: string): Filter | undefined => {
  const kind = kinds.find((one) => value.startsWith(`${one}:`))
  return kind && { kind, name: value.slice(kind.length + 1) }
}

export const FilterChoice = () => {
  const { filter } = usePage()
  const { choices, chosen, shown, rows } = useShownRows()
  if (!choices) return null
  return (
    <p className="filter">
      <label>
        Show{" "}
        <select
          className="button"
          value={chosen ? optionOf(chosen) : ""}
          onChange={({ target }) => filter.set(filterOf(target.value))}
        >
          <option value="">everything</option>
          {kinds.map((kind) => (
            <optgroup key={kind} label={titles[kind]}>
              {choices[kind].map((name) => (
                <option key={name} value={optionOf({ kind, name })}>
                  {shownText(name, 60)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <span className="count" role="status">
        {chosen ? `${shown.length} of ${rows.length}` : ""}
      </span>
    </p>
  )
}
