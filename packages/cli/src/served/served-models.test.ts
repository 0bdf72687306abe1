import { expect, test } from 'vitest'
import { ServedModels } from './served-models.ts'

test('a model is found once; forgotten it is found anew, and a failure is not kept', async () => {
  const models = new ServedModels()
  const [one, two] = await Promise.all([models.find('offline'), models.find('offline')])
  expect(one).toBe(two)
  models.forget()
  expect(await models.find('offline')).not.toBe(one)
  const first = models.find('nobody/x')
  await expect(first).rejects.toMatchObject({ code: 'model.unknown' })
  expect(models.find('nobody/x').catch(() => {})).not.toBe(first)
})
