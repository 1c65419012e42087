import ArgumentParser

extension Option where Value == String? {
    /// Creates an option that flags, the environment and the configuration file may set, and that is read as text.
    ///
    /// - Parameters:
    ///   - help: What it sets, with its default.
    ///   - valueName: What its value is called in the help.
    init(_ help: String, value valueName: String) {
        self.init(help: ArgumentHelp(help, valueName: valueName))
    }
}
