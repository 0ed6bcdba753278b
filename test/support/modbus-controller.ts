import modbusSerial from 'modbus-serial';

// Its types describe the module as if it were one of ECMAScript.
const modbus = modbusSerial as unknown as typeof modbusSerial.default;

/** A controller at one unit, by the client of modbus-serial. */
export interface ModbusController {
  /** Names of the discrete inputs that are 1, without the heartbeat. */
  bits(): Promise<string>;
  heartbeat(): Promise<boolean>;
  registers(): Promise<number[]>;
  coil(address: number, value: boolean): Promise<void>;
  /** A rising edge of the trigger. */
  trigger(): Promise<void>;
  acknowledge(): Promise<void>;
  recipe(): Promise<number>;
  write(address: number, values: number[]): Promise<void>;
  readonly client: InstanceType<typeof modbus>;
  close(): Promise<void>;
}

const names = ['ready', 'busy', 'valid', 'ok', 'ng', 'fault'];

export async function connectModbus(port: number, unit: number): Promise<ModbusController> {
  const client = new modbus();
  await client.connectTCP('127.0.0.1', { port });
  client.setID(unit);
  client.setTimeout(5000);
  const pulse = async (address: number): Promise<void> => {
    await client.writeCoil(address, true);
    await client.writeCoil(address, false);
  };
  return {
    client,
    async bits() {
      const { data } = await client.readDiscreteInputs(0, 7);
      return names.filter((_, index) => data[index]).join(' ');
    },
    heartbeat: async () => (await client.readDiscreteInputs(6, 1)).data[0] === true,
    registers: async () => (await client.readInputRegisters(0, 11)).data,
    coil: async (address, value) => void (await client.writeCoil(address, value)),
    trigger: () => pulse(0),
    acknowledge: () => pulse(1),
    recipe: async () => (await client.readHoldingRegisters(0, 1)).data[0] ?? -1,
    write: async (address, values) => void (await client.writeRegisters(address, values)),
    async close() {
      if (client.isOpen) await new Promise<void>((resolve) => client.close(() => resolve()));
    },
  };
}
