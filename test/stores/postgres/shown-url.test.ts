/** The URL of a database: what is shown and written down of it holds no password, and no two databases go by one name. */
import { describe, expect, test } from "vitest"
import { shownUrl } from "../../../src/stores/index.ts"
import { readAddress } from "../../../src/stores/postgres/address.ts"

const messageFor = (url: string): string => {
  try {
    return readAddress(url, {}).name
  } catch (cause) {
    return String(cause)
  }
}

describe("a password", () => {
  test.each([
    "postgres://me:se?cretpw@127.0.0.1/db",
    "postgres://me:12?34cretpw@host/db",
    "postgres://me:12/34cretpw@host/db",
    "postgres://me:12#34cretpw@host/db",
    "postgres://me:cretpw",
    "postgres:me:cretpw@host/db",
    "postgres:/me:cretpw@host/db",
    "POSTGRES://me:cretpw@host/db",
    "postgres://me:cretpw@one,two/db",
    "postgres://me:@cretpw@host/db",
    "postgres://host/db?user=me&pass%77ord=cretpw",
    "postgres://host/db?PassWord=cretpw&schema=team",
    "postgres://host/db?schema=team&password=cretpw",
    " postgres://me:cretpw@host/db",
    '"postgres://me:cretpw@host/db"',
    "<postgres://me:cretpw@host/db>",
    "DATABASE_URL=postgres://me:cretpw@host/db",
    "jdbc:postgresql://me:cretpw@host/db",
    "jdbc:postgresql://host/db?user=me&password=cretpw",
    "host=127.0.0.1 password=cretpw",
    "me:cretpw@host/db",
    "mysql://me:cretpw@host/db",
  ])("in %s is not shown, nor a part of it", (url) => {
    for (const text of [messageFor(url), shownUrl(url)]) expect(text).not.toMatch(/cretpw|:se\b|:12\b|34/)
  })

  test("leaves the rest of a URL as it is", () => {
    expect(shownUrl("postgres://me:p%40ss@host:1/db?schema=team&password=x&sslmode=require")).toBe(
      "postgres://me@host:1/db?schema=team&sslmode=require",
    )
    expect(shownUrl("postgres://me@host/db?password=x")).toBe("postgres://me@host/db")
    for (const url of ["file:/home/me/plans", "file:/home/me@work/a=b", "memory:", "sqlite:plans"])
      expect(shownUrl(url)).toBe(url)
  })
})

describe("the name of a database", () => {
  test.each([
    ["postgres:///plans?host=/run/one", "postgres:///plans?host=/run/two"],
    ["postgres:///plans?host=/run/one&port=5432", "postgres:///plans?host=/run/one&port=5433"],
    ["postgres://me@host/plans?schema=team", "postgres://me@host/plans%3Fschema=team"],
    ["postgres://me@host/plans", "postgres://me@host/plans?schema=team"],
  ])("differs for %s and for %s", (one, other) => {
    expect(readAddress(one, {}).name).not.toBe(readAddress(other, {}).name)
  })

  test("is the same however the location is written", () => {
    const [one, other] = ["postgres:///plans?host=/run/one&user=me", "postgres:///plans"]
    expect(readAddress(one, {}).name).toBe(readAddress(other, { PGHOST: "/run/one", PGUSER: "me" }).name)
  })

  test.each(["0", "65536", "x", "-1"])("does not contain the port %s", (port) => {
    expect(() => readAddress(`postgres://me@host/plans?port=${port}`, {})).toThrow("its port must be a number")
  })
})
