"""Triggers a station by MQTT with an image for each file, and prints its results.

    MQTT_HOST=127.0.0.1 MQTT_PORT=1883 python3 mqtt_line.py "press 1" image1.jpg image2.jpg
"""
import json
import os
import queue
import sys
import uuid

import paho.mqtt.client as mqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

station, *paths = sys.argv[1:]
answers_topic = f"plc/{uuid.uuid4()}/answers"
answers = queue.Queue()
seen = set()


def on_connect(client, userdata, flags, reason, properties):
    client.subscribe([(f"kensa/{station}/result", 1), (answers_topic, 1)])


def on_subscribe(client, userdata, mid, reasons, properties):
    answers.put(None)


def on_message(client, userdata, message):
    body = json.loads(message.payload)
    if message.topic == answers_topic:
        answers.put(body)
    # A result may come twice after a break of the connection.
    elif body["item_id"] not in seen:
        seen.add(body["item_id"])
        print("result", body["result"], body["serial"], body["anomaly_score"], flush=True)


def new_client():
    # Version 2 of the library asks which version of its callbacks is meant.
    versions = getattr(mqtt, "CallbackAPIVersion", None)
    if versions:
        return mqtt.Client(versions.VERSION1, protocol=mqtt.MQTTv5)
    return mqtt.Client(protocol=mqtt.MQTTv5)


def main():
    client = new_client()
    client.on_connect, client.on_subscribe, client.on_message = on_connect, on_subscribe, on_message
    client.connect(os.environ.get("MQTT_HOST", "127.0.0.1"), int(os.environ.get("MQTT_PORT", "1883")))
    client.loop_start()
    answers.get(timeout=10)
    for number, path in enumerate(paths, start=1):
        properties = Properties(PacketTypes.PUBLISH)
        properties.ResponseTopic = answers_topic
        properties.CorrelationData = str(number).encode()
        properties.UserProperty = [("serial", f"S{number}"), ("timeout_ms", "10000")]
        with open(path, "rb") as image:
            client.publish(f"kensa/{station}/trigger", image.read(), qos=1, properties=properties)
        answer = answers.get(timeout=30)
        print("answer", answer.get("result") or answer.get("error", {}).get("detail", "later"), flush=True)
    client.loop_stop()
    client.disconnect()


if __name__ == "__main__":
    main()
