import { suite } from '../kit/define.ts'
import { answers } from './auth-tier1/answers.ts'
import { keys } from './auth-tier1/keys.ts'
import { missing } from './auth-tier1/missing.ts'
import { tokens } from './auth-tier1/tokens.ts'

/** The token at the gateway: who is let in. */
export default suite({
  id: 'auth-tier1',
  title: 'Tokens at the gateway',
  checks: [...missing, ...tokens, ...answers, ...keys],
})
