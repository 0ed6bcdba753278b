import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import type { Logger } from 'pino';

export interface BrokerSettings {
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** PEM. */
  readonly certificate: Buffer | undefined;
  readonly key: Buffer | undefined;
  /** Certificate of the authority that signed the broker's; absent: those that Node.js knows. */
  readonly authority: Buffer | undefined;
}

/** A message to `kensa/<station>/<action>`. */
export interface BrokerCommand {
  readonly station: string;
  readonly action: string;
  readonly payload: Buffer;
  /** User properties of MQTT 5. */
  readonly properties: Readonly<Record<string, string>>;
  /** Answers at the response topic of the sender, where it named one. */
  reply(body: object): void;
}

export const brokerActions = ['trigger', 'model/set'] as const;
const statusTopic = 'kensa/status';
const connectPatienceMs = 5000;
const reconnectMs = 1000;
/** Images come with triggers. */
const largestPacket = 100 * 1024 * 1024;
const endPatienceMs = 1000;

export type MqttBroker = Awaited<ReturnType<typeof openMqttBroker>>;

/** Keeps a connection to the broker, also where the broker goes away and comes back. */
export async function openMqttBroker(
  settings: BrokerSettings,
  handlers: { onConnect(): void; onCommand(command: BrokerCommand): void; log: Logger },
) {
  const { connect } = await import('mqtt');
  const { log } = handlers;
  let problem: string | undefined = 'not connected yet';
  /** Ends the messages that the broker has not answered. The library would leave them open for ever. */
  const unanswered = new Set<(reason: Error) => void>();
  const status = (state: string): string => JSON.stringify({ status: state, at: new Date().toISOString() });
  const client: MqttClient = connect(settings.url, optionsOf(settings));

  client.on('error', (error) => {
    const { message } = error;
    if (message !== problem) log.warn({ problem: message }, 'the MQTT broker cannot be reached');
    problem = message;
  });
  client.on('close', () => {
    problem ??= 'the connection was closed';
  });
  client.on('connect', () => {
    problem = undefined;
    log.info('connected to the MQTT broker');
    client.publish(statusTopic, status('online'), { qos: 1, retain: true });
    // What was sent while nobody listened must not start an inspection now: the broker sends no retained messages.
    const topics = brokerActions.map((action) => `kensa/+/${action}`);
    client.subscribe(topics, { qos: 1, rh: 2 }, (error) => {
      if (error) log.warn({ err: error }, 'the MQTT broker refuses the subscription to commands');
    });
    handlers.onConnect();
  });
  client.on('message', (topic, payload, packet) => {
    const [, station, action] = /^kensa\/([^/]+)\/(.+)$/.exec(topic) ?? [];
    if (station === undefined || action === undefined || packet.retain) return;
    const properties = textsOf(packet);
    handlers.onCommand({ station, action, payload, properties, reply: (body) => reply(packet, body) });
  });

  const reply = ({ properties }: IPublishPacket, body: object): void => {
    const { responseTopic: topic, correlationData } = properties ?? {};
    if (topic === undefined) return;
    // A sender must not make this service speak in its own name to others.
    if (/[+#]|^(kensa|\$)/.test(topic)) {
      log.warn({ topic }, 'an MQTT command names a response topic that is not answered');
      return;
    }
    const answer = correlationData ? { properties: { correlationData } } : {};
    client.publish(topic, JSON.stringify(body), { qos: 1, ...answer });
  };

  return {
    /** Why there is no connection, in the words of the library; undefined: there is one. */
    problem: (): string | undefined => (client.connected ? undefined : (problem ?? 'not connected')),
    /** Resolves once the broker has it. Over a break of the connection, it waits and sends it again. */
    publish: (topic: string, body: object): Promise<void> =>
      new Promise((resolve, reject) => {
        const end = (error?: Error | null): void => {
          unanswered.delete(reject);
          if (error) reject(error);
          else resolve();
        };
        unanswered.add(reject);
        client.publish(topic, JSON.stringify(body), { qos: 1 }, end);
      }),
    /** The broker keeps it for those who subscribe later. Undefined removes it. */
    retain(topic: string, body: object | undefined): void {
      client.publish(topic, body ? JSON.stringify(body) : '', { qos: 1, retain: true });
    },
    async close(): Promise<void> {
      const patience = new Promise((resolve) => setTimeout(resolve, endPatienceMs).unref());
      if (client.connected) {
        const said = client.publishAsync(statusTopic, status('offline'), { qos: 1, retain: true });
        await Promise.race([said.catch(() => {}), patience]);
      }
      await client.endAsync(true);
      for (const end of unanswered) end(new Error('The connection to the broker was closed.'));
    },
  };
}

function optionsOf({ user, password, certificate, key, authority }: BrokerSettings): IClientOptions {
  return {
    protocolVersion: 5,
    clean: true,
    connectTimeout: connectPatienceMs,
    reconnectPeriod: reconnectMs,
    reconnectOnConnackError: true,
    resubscribe: false,
    queueQoSZero: false,
    properties: { maximumPacketSize: largestPacket },
    will: {
      topic: statusTopic,
      payload: Buffer.from(JSON.stringify({ status: 'offline' })),
      qos: 1,
      retain: true,
    },
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    ...(certificate ? { cert: certificate } : {}),
    ...(key ? { key } : {}),
    ...(authority ? { ca: authority } : {}),
  };
}

function textsOf({ properties }: IPublishPacket): Record<string, string> {
  const given = Object.entries(properties?.userProperties ?? {});
  return Object.fromEntries(given.map(([key, value]) => [key, String([value].flat()[0] ?? '')]));
}
