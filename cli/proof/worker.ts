import { startMutantJudge } from './mutants.ts'

/** A process that judges the mutants that its parent names, one after the other: name in, faults out. */
const judge = await startMutantJudge(Number(process.argv[2]))
process.on('message', async (name: string) => {
  process.send?.({ name, faults: await judge.judge(name) })
})
process.on('disconnect', () => void judge.close())
process.send?.({})
