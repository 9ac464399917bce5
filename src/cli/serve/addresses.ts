/** The addresses of this machine for other devices, and the host names a browser may use. */
import { isIPv4, isIPv6 } from "node:net"
import { hostname, type NetworkInterfaceInfo, networkInterfaces } from "node:os"
import { HeadwayError } from "../../plan/headway-error.ts"

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>

/** Addresses to listen at in addition to loopback: the named one, or all of this machine in its networks, likely ones first. */
export const remoteAddresses = (host: string | undefined, interfaces: Interfaces = networkInterfaces()): string[] => {
  if (host !== undefined && !isEverywhere(host)) {
    if (!isAddress(host))
      throw new HeadwayError("no-address", `--host takes an address or a name of this machine, not "${host}".`)
    return isOwn(host) ? [] : [host]
  }
  const all = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses.flatMap(({ address, family, internal }) =>
      internal || family !== "IPv4" ? [] : [{ address, isLikely: !isVirtual(name) && isPrivate(address) }],
    ),
  )
  if (all.length === 0)
    throw new HeadwayError("no-network", "This machine is not connected to a network, so no other device can reach it.")
  return all.toSorted((one, other) => Number(other.isLikely) - Number(one.isLikely)).map(({ address }) => address)
}

/** A name that the certificate can have in it, or an address without a zone, which only this machine knows. */
const isAddress = (host: string): boolean =>
  isIPv4(host) || (isIPv6(host) && !host.includes("%")) || (host.length <= 253 && hostName.test(host))

/** With a letter in it: systems read a number as an address, such as 0 as all of them. */
const hostName = /^(?=.*[a-z])[\w-]{1,63}(?:\.[\w-]{1,63})*$/i

const isEverywhere = (host: string): boolean => host === "0.0.0.0" || host === "::"

/** Where the server listens anyway. */
const isOwn = (host: string): boolean => ["127.0.0.1", "localhost"].includes(host)

export const isLoopback = (name: string): boolean =>
  ["localhost", "[::1]", "::1"].includes(name) || /^127\.\d+\.\d+\.\d+$/.test(name)

/** Those of containers and virtual machines are reached from this machine alone. */
const isVirtual = (name: string): boolean => /^(?:docker|br-|veth|virbr|vmnet|vboxnet|utun|tun|tap)/.test(name)

const isPrivate = (address: string): boolean => /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address)

/** As written in an address: any other name could be made to resolve to this machine. */
export const namesFor = (addresses: readonly string[]): string[] => {
  const own = hostname().toLowerCase()
  const names = addresses.length === 0 ? [] : [own, ...(own.includes(".") ? [] : [`${own}.local`])]
  return [...names, ...addresses.map((one) => (isIPv6(one) ? `[${one}]` : one.toLowerCase()))]
}
