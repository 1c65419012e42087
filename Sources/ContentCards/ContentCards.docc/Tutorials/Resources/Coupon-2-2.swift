import SwiftUI

struct CheckoutView: View {
    @ObservedObject var checkout: Checkout

    var body: some View {
        VStack {
            Text("Your order")
            if let coupon = checkout.coupon {
                Text(coupon.card.title)
                Button("Use \(coupon.couponCode)") { checkout.redeem(coupon) }
                Button("No, thanks") { checkout.refuse(coupon) }
            }
        }
        .task { await checkout.followFeed() }
    }
}
