/** The public functions of this room: find, read and follow the agents' sessions on this machine. */

export { createDiscovery, type DiscoveredSession, type DiscoverOptions, type Discovery, discover } from "./discover.ts"
export { type Scanned, type ScanOptions, type ScanState, scanFile } from "./file/scan.ts"
export { createFolderAlarm, type FolderAlarm, type FolderAlarmOptions } from "./folder-alarm.ts"
export { type FollowOptions, follow } from "./follow.ts"
export { type SessionState, type StateDetails, stateOf, type WaitsFor } from "./join/activity.ts"
export { type WatchSessionsOptions, watchSessions } from "./watch-sessions.ts"
