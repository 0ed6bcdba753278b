import { once } from 'node:events';

/** What a controller reads and writes at one unit. All calls are synchronous, so that one request sees one state. */
export interface ModbusUnit {
  coil(address: number): boolean;
  discreteInput(address: number): boolean;
  inputRegister(address: number): number;
  holdingRegister(address: number): number;
  writeCoil(address: number, value: boolean): void;
  writeHoldingRegister(address: number, value: number): void;
}

/** How many coils, discrete inputs, input registers and holding registers a unit has. */
export const modbusSizes = { coils: 2, discreteInputs: 7, inputRegisters: 11, holdingRegisters: 17 } as const;

/** A controller has one connection or a few. */
const mostConnections = 32;

/** Thrown to a request: the library answers with this exception code. */
class ModbusException extends Error {
  override readonly name = 'ModbusException';
  readonly modbusErrorCode: number;
  constructor(code: number) {
    super(`Modbus exception ${code}`);
    this.modbusErrorCode = code;
  }
}
const illegalAddress = 2;
const unitMissing = 11;

export type ModbusServer = Awaited<ReturnType<typeof openModbusServer>>;

/** Serves the units by Modbus TCP. @throws the error of the system where it cannot listen. */
export async function openModbusServer(options: {
  host: string;
  port: number;
  unitOf(unit: number): ModbusUnit | undefined;
}) {
  // Its packages are loaded where Modbus is used.
  const { ServerTCP } = (await import('modbus-serial')).default;

  const requireUnit = (unit: number, address: number, size: number): ModbusUnit => {
    const found = options.unitOf(unit);
    if (!found) throw new ModbusException(unitMissing);
    if (address >= size) throw new ModbusException(illegalAddress);
    return found;
  };
  const { coils, discreteInputs, inputRegisters, holdingRegisters } = modbusSizes;
  const server = new ServerTCP(
    {
      getCoil: (address: number, unit: number) => requireUnit(unit, address, coils).coil(address),
      getDiscreteInput: (address: number, unit: number) =>
        requireUnit(unit, address, discreteInputs).discreteInput(address),
      getInputRegister: (address: number, unit: number) =>
        requireUnit(unit, address, inputRegisters).inputRegister(address),
      getHoldingRegister: (address: number, unit: number) =>
        requireUnit(unit, address, holdingRegisters).holdingRegister(address),
      setCoil: (address: number, value: boolean, unit: number) =>
        requireUnit(unit, address, coils).writeCoil(address, value),
      setRegister: (address: number, value: number, unit: number) =>
        requireUnit(unit, address, holdingRegisters).writeHoldingRegister(address, value),
      // All of them or none.
      setRegisterArray(address: number, values: number[], unit: number): void {
        const found = requireUnit(unit, address + values.length - 1, holdingRegisters);
        for (const [index, value] of values.entries()) found.writeHoldingRegister(address + index, value);
      },
    },
    { host: options.host, port: options.port },
  );
  const failed = once(server, 'serverError').then(([error]) => {
    throw error;
  });
  await Promise.race([once(server, 'initialized'), failed]);
  failed.catch(() => {});
  // A connection that breaks is the controller's to renew.
  server.on('socketError', () => {});
  server.on('error', () => {});
  const limit = setInterval(() => {
    for (const socket of [...server.socks.keys()].slice(mostConnections)) socket.destroy();
  }, 100).unref();

  return {
    connections: (): number => server.socks.size,
    /** Drops the connections. */
    async close(): Promise<void> {
      clearInterval(limit);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
