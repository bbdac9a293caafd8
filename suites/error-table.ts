import { suite } from '../kit/define.ts'
import { codes } from './error-table/codes.ts'
import { kept } from './error-table/kept.ts'
import { own } from './error-table/own.ts'

export default suite({ id: 'error-table', title: 'The error table', checks: [...codes, ...kept, ...own] })
