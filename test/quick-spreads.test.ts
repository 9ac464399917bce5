import { expect, test } from "vitest"
import { withQuickSpreads } from "../scripts/quick-spreads.ts"

test("an object that is written as a copy with more fields begins with an empty spread", () => {
  expect(withQuickSpreads("export const with_d=x=>({...x,d:1})")).toBe("export const with_d=x=>({...null,...x,d:1})")
  expect(withQuickSpreads("f({a:{...x,...y}},{...z,get b(){return{...z,c:2}}})")).toBe(
    "f({a:{...null,...x,...y}},{...null,...z,get b(){return{...null,...z,c:2}}})",
  )
})

test.each([
  "const copy={...x}",
  "const later={a:1,...x}",
  "const {a,...rest}=x",
  "const {...all}=x",
  "const f=({...all})=>[...all.list,1]",
  'const text="{...x,d:1}"',
  "const text=`{...x,d:1}`",
  "const pattern=/{...x,d}/",
])("%s stays as it is", (text) => {
  expect(withQuickSpreads(text)).toBe(text)
})

test("the built code means the same: fields, their order, later values and getters", () => {
  const text = `[
    { ...{ b: 1, a: 2 }, c: 3, a: 4 },
    { ...{ get a() { return 5 } }, b: 6 },
    { ...undefined, a: 7 },
    { ..."no", 0: "yes" },
    { ...{ ["__proto__"]: 8 }, a: 9 },
  ]`
  const run = (code: string): unknown => new Function(`return ${code}`)()
  const built = withQuickSpreads(text)
  expect(built).not.toBe(text)
  expect(JSON.stringify(run(built))).toBe(JSON.stringify(run(text)))
})
