import { suite } from '../kit/define.ts'
import { completion } from './prompts/completion.ts'
import { gets } from './prompts/gets.ts'
import { lists } from './prompts/lists.ts'

export default suite({ id: 'prompts', title: 'Prompts and completion', checks: [...lists, ...gets, ...completion] })
