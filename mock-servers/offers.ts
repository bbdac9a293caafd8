import type { JsonObject } from '../kit/json.ts'
import { json } from '../kit/json.ts'
import type { ListName, ServerName } from '../kit/types.ts'
import { listedPrompt, listedResource, listedTemplate, listedTool } from './dress.ts'
import type { Data } from './script.ts'
import { SCRIPTS } from './scripts.ts'

/** All that a server has in a list, without what `announce_change` adds. */
export function offers(server: ServerName, list: ListName): readonly JsonObject[] {
  return entries(server, list).map(entry => json(entry) as JsonObject)
}

function entries(server: ServerName, list: ListName): readonly Data[] {
  const script = SCRIPTS[server]
  switch (list) {
    case 'tools':
      return script.tools.map(t => listedTool(server, t))
    case 'resources':
      return script.resources.map(r => listedResource(server, r))
    case 'resources/templates':
      return script.templates.map(t => listedTemplate(server, t))
    case 'prompts':
      return script.prompts.map(p => listedPrompt(server, p))
  }
}
