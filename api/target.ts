import type { TargetDocument } from '../kit/target-file.ts'

/** What would stand in a target file. Without a name, the gateway is called what it calls itself. */
export type TargetDescription = Omit<TargetDocument, 'name'> & { readonly name?: string }

/** A gateway to judge: its URL, the path of a target file, or what would stand in one. */
export type TargetGiven = string | TargetDescription
