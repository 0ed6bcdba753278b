// A controller's handshake with a Kensa station by Modbus TCP. It needs no package.
//   Mono:   mcs ModbusLine.cs && mono ModbusLine.exe 192.0.2.10 502 1
//   .NET 8: dotnet new console; put this file in place of Program.cs; dotnet run -- 192.0.2.10 502 1
using System;
using System.IO;
using System.Net.Sockets;
using System.Text;
using System.Threading;

static class ModbusLine
{
    static NetworkStream stream;
    static byte unit;
    static ushort transaction;
    static bool lastBeat;
    static DateTime lastBeatAt;

    // Any exception, such as a lost connection, ends this program: a product without a verdict is not good.
    static void Main(string[] args)
    {
        var host = args.Length > 0 ? args[0] : "127.0.0.1";
        var port = args.Length > 1 ? int.Parse(args[1]) : 502;
        unit = args.Length > 2 ? byte.Parse(args[2]) : (byte)1;
        using (var connection = new TcpClient(host, port) { NoDelay = true })
        {
            stream = connection.GetStream();
            stream.ReadTimeout = 2000;
            while (true)
            {
                Console.WriteLine("Serial number of the next product:");
                var serial = Console.ReadLine();
                if (serial == null) return;
                Console.WriteLine(Inspect(serial) ? "OK: pass" : "not OK: reject");
            }
        }
    }

    static bool Inspect(string serial)
    {
        lastBeatAt = DateTime.UtcNow;
        var before = ReadSequence();
        WriteSerial(serial);
        WriteTrigger(true);
        WriteTrigger(false);
        for (var until = DateTime.UtcNow.AddSeconds(5); DateTime.UtcNow < until; Thread.Sleep(5))
        {
            // ready, busy, valid, OK, NG, fault, heartbeat: all of one moment.
            var bits = Ask(2, 0, 0, 0, 7)[1];
            bool busy = (bits & 2) != 0, valid = (bits & 4) != 0, ok = (bits & 8) != 0, fault = (bits & 32) != 0;
            if (!IsAlive((bits & 64) != 0)) return false;
            if (busy) continue;
            return valid && ok && !fault && ReadSequence() == (ushort)(before + 1);
        }
        return false;
    }

    static bool IsAlive(bool beat)
    {
        if (beat != lastBeat) lastBeatAt = DateTime.UtcNow;
        lastBeat = beat;
        return DateTime.UtcNow - lastBeatAt < TimeSpan.FromSeconds(2);
    }

    static ushort ReadSequence()
    {
        var answer = Ask(4, 0, 0, 0, 1);
        return (ushort)(answer[1] << 8 | answer[2]);
    }

    static void WriteTrigger(bool on)
    {
        Ask(5, 0, 0, (byte)(on ? 0xff : 0), 0);
    }

    // Holding registers 1 to 16: two ASCII characters in each, the first in the high byte.
    static void WriteSerial(string serial)
    {
        var data = new byte[5 + 32];
        new byte[] { 0, 1, 0, 16, 32 }.CopyTo(data, 0);
        Encoding.ASCII.GetBytes(serial, 0, Math.Min(serial.Length, 32), data, 5);
        Ask(16, data);
    }

    // Sends a function with its data. Returns the data of the answer.
    static byte[] Ask(byte function, params byte[] data)
    {
        transaction++;
        var request = new byte[8 + data.Length];
        var length = data.Length + 2;
        var head = new byte[] { (byte)(transaction >> 8), (byte)transaction, 0, 0, 0, (byte)length, unit, function };
        head.CopyTo(request, 0);
        data.CopyTo(request, 8);
        stream.Write(request, 0, request.Length);
        var start = Read(8);
        var answer = Read((start[4] << 8 | start[5]) - 2);
        if (start[0] != request[0] || start[1] != request[1]) throw new IOException("The answer is to another request.");
        if (start[7] != function) throw new IOException("The station refuses with code " + answer[0] + ".");
        return answer;
    }

    static byte[] Read(int count)
    {
        var bytes = new byte[count];
        for (var got = 0; got < count;)
        {
            var more = stream.Read(bytes, got, count - got);
            if (more == 0) throw new IOException("The connection was closed.");
            got += more;
        }
        return bytes;
    }
}
