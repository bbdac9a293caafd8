import { code, errorMessage } from '../jsonrpc.ts'
import type { Part } from '../types.ts'

/** Refuses requests that are too large: by their declared length, or when too much has come. */
export const limit: Part = {
  name: 'limit',
  receive(passage) {
    const { maxBodyBytes } = passage.gateway.settings
    const refuse = () => {
      passage.servedBy = 'limit'
      passage.abort()
      const message = `The request is larger than the limit of ${maxBodyBytes} bytes.`
      if (passage.started) passage.out.fail({ kind: 'cut', message })
      else passage.answer(413, errorMessage(undefined, code.invalid, message))
    }
    if (Number(passage.header('content-length')) > maxBodyBytes) {
      refuse()
      return true
    }
    passage.body.limit = maxBodyBytes
    passage.body.onTooLarge = refuse
    return
  },
}
