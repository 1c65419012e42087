// swift-format-ignore-file
// It has the shape of Apple's interface, a declaration a line, and no behaviour to document.
// What the SDK, its documentation and the snippets use of SwiftUI: declarations to type-check against, which can't run.
@_exported import UIKit
import Foundation

// MARK: Views

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

/// Is a view of the framework: it has no body.
public protocol PrimitiveView: View where Body == Never {}
extension PrimitiveView { public var body: Never { fatalError() } }

@resultBuilder
public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)> {
        fatalError()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { fatalError() }
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { fatalError() }
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView { fatalError() }
}

public struct TupleView<T>: PrimitiveView {}
public struct _ConditionalContent<TrueContent, FalseContent> {}
extension _ConditionalContent: View, PrimitiveView where TrueContent: View, FalseContent: View {
    public typealias Body = Never
}
extension Optional: View, PrimitiveView where Wrapped: View { public typealias Body = Never }
public struct EmptyView: PrimitiveView { public nonisolated init() {} }
public struct AnyView: PrimitiveView { public init<V: View>(_ view: V) {} }
public struct Group<Content> {}
extension Group: View, PrimitiveView where Content: View {
    public typealias Body = Never
    public init(@ViewBuilder content: () -> Content) {}
}
public struct Text: PrimitiveView {
    public init<S: StringProtocol>(_ content: S) {}
    public init(verbatim content: String) {}
    public func bold() -> Text { self }
}
public struct Spacer: PrimitiveView { public init(minLength: CGFloat? = nil) {} }
public struct Divider: PrimitiveView { public init() {} }
public struct Image: PrimitiveView {
    public init(systemName: String) {}
    public init(uiImage: UIImage) {}
    public func resizable() -> Image { self }
}
public struct ProgressView<Label, CurrentValueLabel>: PrimitiveView {}
extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView { public init() {} }
public enum AsyncImagePhase {
    case empty, success(Image), failure(any Error)
    public var image: Image? { nil }
}
public struct AsyncImage<Content: View>: PrimitiveView {
    public init<I: View, P: View>(
        url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I, @ViewBuilder placeholder: @escaping () -> P
    ) where Content == _ConditionalContent<I, P> {}
}

public struct HorizontalAlignment: Sendable { public static let leading = Self(), center = Self(), trailing = Self() }
public struct VerticalAlignment: Sendable { public static let top = Self(), center = Self(), bottom = Self() }
public struct Alignment: Sendable { public static let leading = Self(), center = Self(), trailing = Self(), top = Self(), topTrailing = Self() }
public struct VStack<Content: View>: PrimitiveView {
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}
public struct HStack<Content: View>: PrimitiveView {
    public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}
public struct ZStack<Content: View>: PrimitiveView {
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {}
}
public struct LazyVStack<Content: View>: PrimitiveView {
    public init(alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {}
}
public struct ScrollView<Content: View>: PrimitiveView { public init(@ViewBuilder content: () -> Content) {} }
public struct NavigationView<Content: View>: PrimitiveView { public init(@ViewBuilder content: () -> Content) {} }
public struct List<SelectionValue: Hashable, Content: View>: PrimitiveView {}
extension List where SelectionValue == Never {
    public init(@ViewBuilder content: () -> Content) {}
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {}
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}
extension ForEach: View, PrimitiveView where Content: View { public typealias Body = Never }
extension ForEach where Content: View {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content)
    where ID == Data.Element.ID, Data.Element: Identifiable {}
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}
public struct ButtonRole: Sendable, Equatable { public static let destructive = Self(), cancel = Self() }
public struct Button<Label: View>: PrimitiveView {
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}
}
extension Button where Label == Text {
    public init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) {}
    public init<S: StringProtocol>(_ title: S, role: ButtonRole?, action: @escaping @MainActor () -> Void) {}
}

// MARK: State

@propertyWrapper
public struct State<Value>: DynamicProperty {
    public init(wrappedValue value: Value) {}
    public init(initialValue value: Value) {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { fatalError() }
}
@propertyWrapper
public struct SceneStorage<Value>: DynamicProperty {
    public init(wrappedValue: Value, _ key: String) where Value == String {}
    public init(_ key: String) where Value == String? {}
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { fatalError() }
}
@propertyWrapper @dynamicMemberLookup
public struct Binding<Value> {
    public init(get: @escaping @isolated(any) @Sendable () -> Value, set: @escaping @isolated(any) @Sendable (Value) -> Void) {}
    public static func constant(_ value: Value) -> Binding<Value> { fatalError() }
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { self }
    public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> { fatalError() }
}
public protocol DynamicProperty { mutating func update() }
extension DynamicProperty { public mutating func update() {} }
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty {
    public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {}
    @MainActor @preconcurrency public var wrappedValue: ObjectType { fatalError() }
}
@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty {
    public init(wrappedValue: ObjectType) {}
    @MainActor @preconcurrency public var wrappedValue: ObjectType { get { fatalError() } set {} }
}
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}
extension Environment: Sendable where Value: Sendable {}
public protocol EnvironmentKey {
    associatedtype Value
    static var defaultValue: Value { get }
}
public struct EnvironmentValues {
    public init() {}
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value { get { fatalError() } set {} }
    public var openURL: OpenURLAction { get { fatalError() } set {} }
    public var displayScale: CGFloat { get { 1 } set {} }
    public var dismiss: DismissAction { fatalError() }
    public var scenePhase: ScenePhase { get { .active } set {} }
    public var isEnabled: Bool { get { true } set {} }
    public var colorScheme: ColorScheme { get { .light } set {} }
}
public enum ScenePhase: Comparable { case background, inactive, active }
@MainActor @preconcurrency
public struct OpenURLAction: Sendable {
    public struct Result: Sendable {
        public static let handled = Self(), discarded = Self(), systemAction = Self()
        public static func systemAction(_ url: URL) -> Self { Self() }
    }
    public init(handler: @escaping (URL) -> Result) {}
    public func callAsFunction(_ url: URL) {}
    public func callAsFunction(_ url: URL, completion: @escaping (_ accepted: Bool) -> Void) {}
}
@MainActor @preconcurrency
public struct DismissAction { public func callAsFunction() {} }

// MARK: UIKit within SwiftUI

public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    public let coordinator: Representable.Coordinator
    public var environment: EnvironmentValues { fatalError() }
}
@MainActor @preconcurrency
public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    associatedtype Coordinator = Void
    typealias Context = UIViewRepresentableContext<Self>
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ uiView: UIViewType, context: Context)
    static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator)
    func makeCoordinator() -> Coordinator
    @available(iOS 16.0, tvOS 16.0, *)
    func sizeThatFits(_ proposal: ProposedViewSize, uiView: UIViewType, context: Context) -> CGSize?
}
extension UIViewRepresentable {
    public var body: Never { fatalError() }
    public static func dismantleUIView(_ uiView: UIViewType, coordinator: Coordinator) {}
    public func sizeThatFits(_ proposal: ProposedViewSize, uiView: UIViewType, context: Context) -> CGSize? { nil }
}
extension UIViewRepresentable where Coordinator == Void { public func makeCoordinator() {} }
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
    public let coordinator: Representable.Coordinator
    public var environment: EnvironmentValues { fatalError() }
}
@MainActor @preconcurrency
public protocol UIViewControllerRepresentable: View where Body == Never {
    associatedtype UIViewControllerType: UIViewController
    associatedtype Coordinator = Void
    typealias Context = UIViewControllerRepresentableContext<Self>
    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ uiViewController: UIViewControllerType, context: Context)
    static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: Coordinator)
    func makeCoordinator() -> Coordinator
}
extension UIViewControllerRepresentable {
    public var body: Never { fatalError() }
    public static func dismantleUIViewController(_ uiViewController: UIViewControllerType, coordinator: Coordinator) {}
}
extension UIViewControllerRepresentable where Coordinator == Void { public func makeCoordinator() {} }
public struct ProposedViewSize: Equatable, Sendable {
    public var width: CGFloat?
    public var height: CGFloat?
}

open class UIHostingController<Content: View>: UIViewController {
    public init(rootView: Content) { fatalError() }
    public required init?(coder: NSCoder) { nil }
    public var rootView: Content { get { fatalError() } set {} }
    public func sizeThatFits(in size: CGSize) -> CGSize { .zero }
}

@available(iOS 16.0, tvOS 16.0, *)
@MainActor @preconcurrency
public struct UIHostingConfiguration<Content: View, Background: View>: @MainActor UIContentConfiguration {
    public func margins(_ edges: Edge.Set = .all, _ length: CGFloat) -> Self { self }
    public func minSize(width: CGFloat? = nil, height: CGFloat? = nil) -> Self { self }
    public func makeContentView() -> UIView & UIContentView { fatalError() }
    public func updated(for state: any UIConfigurationState) -> Self { self }
}
@available(iOS 16.0, tvOS 16.0, *)
extension UIHostingConfiguration where Background == EmptyView {
    public init(@ViewBuilder content: () -> Content) {}
}

// MARK: Modifiers

public struct ModifiedContent<Content, Modifier> {}
extension ModifiedContent: View, PrimitiveView where Content: View { public typealias Body = Never }
extension View {
    public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View { EmptyView() }
    public func transformEnvironment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
    ) -> some View { EmptyView() }
    public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View { EmptyView() }
    public func frame(width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center) -> some View { EmptyView() }
    public func frame(
        minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
        idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
    ) -> some View { EmptyView() }
    public func id<ID: Hashable>(_ id: ID) -> some View { EmptyView() }
    public func padding(_ length: CGFloat) -> some View { EmptyView() }
    public func padding() -> some View { EmptyView() }
    public func scaledToFit() -> some View { EmptyView() }
    public func scaledToFill() -> some View { EmptyView() }
    public func background<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View { EmptyView() }
    public func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View { EmptyView() }
    public func sheet<Item: Identifiable, Content: View>(
        item: Binding<Item?>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping (Item) -> Content
    ) -> some View { EmptyView() }
    public func sheet<Content: View>(
        isPresented: Binding<Bool>, onDismiss: (() -> Void)? = nil, @ViewBuilder content: @escaping () -> Content
    ) -> some View { EmptyView() }
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
    public func task(priority: TaskPriority = .userInitiated, @_inheritActorContext _ action: @escaping @Sendable @isolated(any) () async -> Void) -> some View { EmptyView() }
    public func refreshable(@_inheritActorContext action: @escaping @Sendable @isolated(any) () async -> Void) -> some View { EmptyView() }
    public func badge(_ count: Int) -> some View { EmptyView() }
    public func navigationTitle<S: StringProtocol>(_ title: S) -> some View { EmptyView() }
    public func ignoresSafeArea() -> some View { EmptyView() }
    public func swipeActions<T: View>(edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T) -> some View { EmptyView() }
    public func font(_ font: Font?) -> some View { EmptyView() }
    public func foregroundColor(_ color: Color?) -> some View { EmptyView() }
    public func accessibilityHidden(_ hidden: Bool) -> some View { EmptyView() }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { EmptyView() }
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { EmptyView() }
    public func accessibilityLabel<S: StringProtocol>(_ label: S) -> some View { EmptyView() }
    public func accessibilityAction<S: StringProtocol>(named name: S, _ handler: @escaping () -> Void) -> some View { EmptyView() }
    public func accessibilityAction(_ handler: @escaping () -> Void) -> some View { EmptyView() }
    public func contentShape<S: Shape>(_ shape: S, eoFill: Bool = false) -> some View { EmptyView() }
    public func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { EmptyView() }
    public func preferredColorScheme(_ colorScheme: ColorScheme?) -> some View { EmptyView() }
    public func previewDisplayName(_ value: String?) -> some View { EmptyView() }
    public func disabled(_ disabled: Bool) -> some View { EmptyView() }
    public func clipShape<S: Shape>(_ shape: S) -> some View { EmptyView() }
}
public enum ColorScheme: CaseIterable, Sendable { case light, dark }
public enum Visibility: Hashable, CaseIterable, Sendable { case automatic, visible, hidden }
public enum Edge: Int8, CaseIterable, Sendable {
    case top, leading, bottom, trailing
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int8
        public init(rawValue: Int8) { self.rawValue = rawValue }
        public static let all = Self(rawValue: 15), horizontal = Self(rawValue: 10), vertical = Self(rawValue: 5)
    }
}
public enum HorizontalEdge: Sendable { case leading, trailing }
public struct Font: Sendable { public static let headline = Self(), body = Self(), footnote = Self(), title2 = Self() }
public struct Color: PrimitiveView, Sendable {
    public init(_ color: UIColor) {}
    public init(uiColor: UIColor) {}
    public static let clear = Color(UIColor.clear), primary = Color(UIColor.label), secondary = Color(UIColor.label)
    public static let gray = Color(UIColor.gray)
    public func opacity(_ opacity: Double) -> Color { self }
}
public struct AccessibilityTraits: SetAlgebra, Sendable {
    public static let isButton = Self(), isLink = Self(), isImage = Self()
    public init() {}
    public func contains(_ member: Self) -> Bool { false }
    public func union(_ other: Self) -> Self { self }
    public func intersection(_ other: Self) -> Self { self }
    public func symmetricDifference(_ other: Self) -> Self { self }
    public mutating func insert(_ newMember: Self) -> (inserted: Bool, memberAfterInsert: Self) { (false, self) }
    public mutating func remove(_ member: Self) -> Self? { nil }
    public mutating func update(with newMember: Self) -> Self? { nil }
    public mutating func formUnion(_ other: Self) {}
    public mutating func formIntersection(_ other: Self) {}
    public mutating func formSymmetricDifference(_ other: Self) {}
}
public struct AccessibilityChildBehavior: Sendable { public static let ignore = Self(), combine = Self(), contain = Self() }
public struct Path: Sendable { public init(_ rect: CGRect) {} }
public protocol Shape: Sendable, View { nonisolated func path(in rect: CGRect) -> Path }
extension Shape { public var body: Never { fatalError() } }
public struct Rectangle: Shape {
    public init() {}
    public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
}
public struct RoundedRectangle: Shape {
    public init(cornerRadius: CGFloat) {}
    public nonisolated func path(in rect: CGRect) -> Path { Path(rect) }
}
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {}
public struct PlainButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == PlainButtonStyle { public static var plain: PlainButtonStyle { PlainButtonStyle() } }
@MainActor @preconcurrency public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = AnyView
    @ViewBuilder func body(content: Content) -> Body
}
extension View { public func modifier<T: ViewModifier>(_ modifier: T) -> some View { EmptyView() } }

// MARK: Previews and apps

@MainActor @preconcurrency
public protocol PreviewProvider {
    associatedtype Previews: View
    @ViewBuilder static var previews: Previews { get }
}
@MainActor @preconcurrency
public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
}
extension Never: Scene {}
@resultBuilder public struct SceneBuilder { public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content } }
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}
@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}
extension App { public static func main() {} }

// MARK: Combine

public protocol ObservableObject: AnyObject {}
@propertyWrapper
public struct Published<Value> {
    public init(wrappedValue: Value) {}
    public init(initialValue: Value) {}
    @available(*, unavailable) public var wrappedValue: Value { get { fatalError() } set {} }
    public static subscript<EnclosingSelf: ObservableObject>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value { get { fatalError() } set {} }
}
