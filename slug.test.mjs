import assert from "node:assert/strict"
import { slug } from "./slug.mjs"

assert.equal(slug("Hello World"), "hello-world")
assert.equal(slug("Crème brûlée, twice!"), "creme-brulee-twice")
console.log("ok, 2 titles")
