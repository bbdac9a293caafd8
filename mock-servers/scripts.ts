import type { ServerName } from '../kit/types.ts'
import { crm } from './crm/index.ts'
import { db } from './db.ts'
import type { Script } from './script.ts'
import { syncboot } from './syncboot/index.ts'

/** The mock servers by name. */
export const SCRIPTS: Readonly<Record<ServerName, Script>> = { crm, db, syncboot }

/** The ports at which the mock servers wait where nothing else is said. */
export const PORTS: Readonly<Record<ServerName, number>> = { crm: 4101, db: 4102, syncboot: 4103 }
