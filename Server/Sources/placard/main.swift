import PlacardCommands

await PlacardProcess.run()
