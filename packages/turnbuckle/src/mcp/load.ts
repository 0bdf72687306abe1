import { TurnbuckleError } from '../core/base/errors.ts'

/** An optional package, or an error that names it. */
export async function load<Module>(name: string, importing: () => Promise<Module>): Promise<Module> {
  try {
    return await importing()
  } catch (error) {
    throw new TurnbuckleError('package.missing', `MCP needs the package ${name}: npm install ${name}`, { cause: error })
  }
}
