// A controller's handshake with a Kensa station. Packages: NModbus. Target: .NET 8.
//   dotnet new console; dotnet add package NModbus; put this file in place of Program.cs; dotnet run -- 192.0.2.10 502 1
using System.Net.Sockets;
using NModbus;

var host = args.Length > 0 ? args[0] : "127.0.0.1";
var port = args.Length > 1 ? int.Parse(args[1]) : 502;
var unit = args.Length > 2 ? byte.Parse(args[2]) : (byte)1;

using var connection = new TcpClient(host, port);
var master = new ModbusFactory().CreateMaster(connection);
var lastBeat = false;
var lastBeatAt = DateTime.UtcNow;

// Any exception, such as a lost connection, ends this program: a product without a verdict is not good.
while (true)
{
    Console.Write("Enter for the next product: ");
    if (Console.ReadLine() is null) return;
    Console.WriteLine(Inspect("S0042") ? "OK: pass" : "not OK: reject");
}

bool Inspect(string serial)
{
    var before = master.ReadInputRegisters(unit, 0, 1)[0];
    master.WriteMultipleRegisters(unit, 1, ToRegisters(serial));
    master.WriteSingleCoil(unit, 0, true);
    master.WriteSingleCoil(unit, 0, false);
    for (var until = DateTime.UtcNow.AddSeconds(5); DateTime.UtcNow < until; Thread.Sleep(5))
    {
        // ready, busy, valid, OK, NG, fault, heartbeat: all of one moment.
        var bits = master.ReadInputs(unit, 0, 7);
        if (!IsAlive(bits[6])) return false;
        if (bits[1]) continue;
        var sequence = master.ReadInputRegisters(unit, 0, 1)[0];
        return bits[2] && bits[3] && !bits[5] && sequence == (ushort)(before + 1);
    }
    return false;
}

bool IsAlive(bool beat)
{
    if (beat != lastBeat) lastBeatAt = DateTime.UtcNow;
    lastBeat = beat;
    return DateTime.UtcNow - lastBeatAt < TimeSpan.FromSeconds(2);
}

// Two ASCII characters in each of the 16 registers, the first in the high byte.
static ushort[] ToRegisters(string text)
{
    var bytes = new byte[32];
    System.Text.Encoding.ASCII.GetBytes(text.AsSpan(0, Math.Min(text.Length, 32)), bytes);
    return Enumerable.Range(0, 16).Select(index => (ushort)(bytes[index * 2] << 8 | bytes[index * 2 + 1])).ToArray();
}
