import { readArguments } from '../../cli/arguments.ts'
import { readText } from '../../cli/files.ts'
import { fromFile, type Told } from '../../cli/wanted.ts'
import { WrongUsage } from '../../kit/errors.ts'
import { readTargetFile } from '../../kit/target-file.ts'
import type { TargetGiven } from '../target.ts'

/** What is told of a gateway. Throws WrongUsage, in one sentence, where that makes no sense. */
export function told(given: TargetGiven): Told {
  if (typeof given === 'string' && !/^https?:\/\//.test(given))
    return fromFile(readTargetFile(readText(given, 'target'), given, process.env), noFlags(), process.env)
  const description = typeof given === 'string' ? { url: given } : given
  if (!URL.canParse(description.url)) throw new WrongUsage(`${description.url} is no address of a gateway.`)
  const text = JSON.stringify({ name: 'gateway', ...description })
  const file = readTargetFile(text, 'the target', process.env)
  return fromFile({ ...file, name: description.name ?? '' }, noFlags(), process.env)
}

const noFlags = () => readArguments('run', [])
