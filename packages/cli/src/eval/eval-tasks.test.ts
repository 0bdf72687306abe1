import { expect, test } from 'vitest'
import { evalSolutions } from '../../test/eval-solutions.ts'
import { evalTasks } from './eval-tasks.ts'
import { TaskRepository } from './task-repository.ts'

test('there are twenty tasks, each with a name of its own and a solution', () => {
  const names = evalTasks.map(({ name }) => name)
  expect(new Set(names).size).toBe(20)
  expect(Object.keys(evalSolutions).sort()).toEqual([...names].sort())
})

test.each(evalTasks)(
  'the tests of $name fail as it is given, and pass when it is solved',
  async task => {
    const repository = await TaskRepository.make(task)
    try {
      expect(await repository.passes()).toBe(false)
      await repository.write(evalSolutions[task.name] ?? {})
      expect(await repository.passes()).toBe(true)
    } finally {
      await repository.remove()
    }
  },
  60_000,
)
