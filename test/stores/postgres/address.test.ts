/** What a URL says, without a server: the parts, what is refused, and that a password is never in a name. */
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { readAddress, withoutPassword } from "../../../src/stores/postgres/address.ts"
import { passwordFor } from "../../../src/stores/postgres/password.ts"
import { temporaryFolder } from "../temporary.ts"

describe("a postgres URL", () => {
  test("has its parts read, and defaults for parameters", () => {
    expect(
      readAddress("postgres://ada:p%40ss@db.example:6432/plans?schema=team_a&connections=2&sslmode=require"),
    ).toEqual({
      host: "db.example",
      port: 6432,
      database: "plans",
      user: "ada",
      password: "p@ss",
      schema: "team_a",
      tls: { rejectUnauthorized: false },
      connections: 2,
      connectTimeout: 10,
      statementTimeout: 30_000,
      name: "postgres://ada@db.example:6432/plans?schema=team_a",
    })
    expect(readAddress("postgres:///plans?host=/run/postgresql&user=ada", {})).toMatchObject({
      host: "/run/postgresql",
      tls: false,
      name: "postgres://ada@/plans?host=/run/postgresql&port=5432",
    })
    expect(readAddress("postgresql://ada@[::1]/plans", {})).toMatchObject({ host: "::1", tls: "prefer" })
    expect(readAddress("postgres://", { PGHOST: "h", PGUSER: "u", PGDATABASE: "d", PGPORT: "1" })).toMatchObject({
      name: "postgres://u@h:1/d",
    })
  })

  test.each([
    ["postgres://ada:secret@one:1,two:2/plans", "with one host"],
    ["postgres://ada:secret@db/plans?schema=a;b", "its schema must be"],
    ["postgres://ada:secret@db/plans?schema=pg_catalog", "its schema must be"],
    ["postgres://ada:secret@db/plans?connections=0", "its connections must be"],
    ["postgres://ada:secret@db/plans?sslmode=no", "its sslmode must be"],
    ["postgres://ada:secret@db/plans?sslrootcert=/not/there", "could not be read"],
    ["postgres://ada:secret@db/plans?sslmoed=require", "sslmoed is not known"],
  ])("%s is refused without its password", (url, message) => {
    expect(() => readAddress(url)).toThrow(message)
    expect(() => readAddress(url)).not.toThrow("secret")
  })

  test("whatever may be a password is removed from a text, even if it is not a URL", () => {
    expect(withoutPassword("postgres://ada:se:c@ret@db/plans?password=secret")).toBe("postgres://ada@db/plans")
    expect(withoutPassword("postgrs://ada:secret@db")).toBe("postgrs://ada@db")
    expect(withoutPassword("memory:")).toBe("memory:")
  })
})

describe("a password", () => {
  test("is taken from the URL, the environment or PostgreSQL's own file, which others must not be able to read", () => {
    const path = join(temporaryFolder(), "pgpass")
    writeFileSync(path, "# ours\nother:*:*:*:no\ndb:5432:plans:ada:with\\:colon\n*:*:*:*:rest\n", { mode: 0o600 })
    const env = { PGPASSFILE: path }
    const at = (url: string): string => passwordFor(readAddress(url, {}), env)
    expect(at("postgres://ada@db/plans")).toBe("with:colon")
    expect(at("postgres://eve@db/plans")).toBe("rest")
    expect(at("postgres://ada:own@db/plans")).toBe("own")
    expect(passwordFor(readAddress("postgres://ada@db/plans", {}), { ...env, PGPASSWORD: "env" })).toBe("env")
    chmodSync(path, 0o644)
    expect(at("postgres://ada@db/plans")).toBe("")
  })
})
