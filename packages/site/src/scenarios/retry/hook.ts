import { isHookError, middleware } from 'turnbuckle'

// Every next() is an attempt of its own. What the first has shown is withdrawn: it is in no history.
export default middleware({
  name: 'twice',
  async wrapModel(ctx, next) {
    try {
      return await next()
    } catch (error) {
      if (isHookError(error) || ctx.signal.aborted) throw error // not the model's failure
      ctx.withdraw('the line broke')
      return next()
    }
  },
})
